"""A measure of a running service, by the public protocol alone."""

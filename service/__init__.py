"""The service: use cases, the store, and the adapters around them."""

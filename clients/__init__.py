"""What a client author starts from: programs that know the generated protocol and nothing else of Rookery."""

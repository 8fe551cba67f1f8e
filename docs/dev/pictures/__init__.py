"""Draw the documents' pictures of chats from runs of Sam against fakes: `make picture`."""

"""The pictures of chats in the documents, from runs of Sam between fakes: `make picture`."""

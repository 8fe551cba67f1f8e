"""What tests are made of: descriptions and conversations, each written by a program here."""

"""Attachments: tables that come with a message of the chat, or that it names."""

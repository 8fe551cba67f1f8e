"""What all pages of the console share: who may pass, how a page is rendered, notes as HTML."""

"""The far ends of the wires: strict servers on loopback, scripted in a small language."""

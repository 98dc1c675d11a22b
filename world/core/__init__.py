"""The words of the kernel: time, ids, operations, calls, access, the journal and the company directory."""

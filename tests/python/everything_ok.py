# SPDX-License-Identifier: BSD-3-Clause
"""Much of what mpi4py has, and nothing wrong: objects that are pickled, arrays, windows, types, operators,
attributes, error handlers, topologies."""
import gc

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
assert comm.bcast({"a": list(range(100))} if rank == 0 else None) == {"a": list(range(100))}
assert comm.scatter([i * i for i in range(size)] if rank == 0 else None) == rank * rank
assert comm.alltoall([rank] * size) == list(range(size))
a, b = np.full(1000, float(rank)), np.empty(1000)
comm.Allreduce(a, b, op=MPI.SUM)
assert b[7] == sum(range(size))
comm.Allreduce(MPI.IN_PLACE, a, op=MPI.MAX)
assert a[7] == size - 1
right, left = (rank + 1) % size, (rank - 1) % size
assert comm.sendrecv(rank, dest=right, source=left) == left
requests = [comm.irecv(source=left, tag=3), comm.isend("hello", dest=right, tag=3)]
assert MPI.Request.waitall(requests)[0] == "hello"
column = MPI.DOUBLE.Create_vector(10, 1, 10).Commit()
grid = np.arange(100.0)
comm.Sendrecv([grid, 1, column], right, recvbuf=[b, 10, MPI.DOUBLE], source=left)
assert list(b[:3]) == [0, 10, 20]
column.Free()
memory = np.zeros(10)
window = MPI.Win.Create(memory, comm=comm)
window.Fence()
window.Put(np.full(5, 1.0 + rank), right)
window.Fence()
assert memory[4] == 1 + left
window.Free()
key = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value)
comm.Set_attr(key, "value")
other = comm.Dup()
assert other.Get_attr(key) == "value" and other.Get_attr(MPI.TAG_UB) >= 32767
other.Delete_attr(key)
comm.Delete_attr(key)
MPI.Comm.Free_keyval(key)
half = other.Split(rank % 2, key=-rank)
half.Free()
cart = other.Create_cart([size], periods=[True])
assert cart.Shift(0, 1) == (left, right) and cart.Get_topology() == MPI.CART
cart.Free()
operator = MPI.Op.Create(lambda x, y, datatype: None, commute=True)
operator.Free()
other.Set_errhandler(MPI.ERRORS_RETURN)
assert other.Get_errhandler() == MPI.ERRORS_RETURN
other.Free()
assert MPI.COMM_NULL == other and MPI.Get_error_class(MPI.ERR_TRUNCATE) == MPI.ERR_TRUNCATE
status = MPI.Status()
comm.Send(b"abc", dest=MPI.PROC_NULL)
comm.Recv(bytearray(3), source=MPI.PROC_NULL, status=status)
assert status.Get_source() == MPI.PROC_NULL and status.Get_count() == 0
gc.collect()

"""libMirageRuntime through ctypes: include/mirage-c/Runtime.h, as far as the benchmark needs it."""
import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

ELEMENT_TYPES = ["f16", "bf16", "f32", "f64"]


class Error(Exception):
    """What mirageRuntimeGetLastError says."""


class _DeviceInfo(ctypes.Structure):
    _fields_ = [("major", c_int32), ("minor", c_int32), ("multiprocessors", c_int32), ("l2Bytes", c_uint64), ("sharedBytes", c_uint64),
                ("totalBytes", c_uint64), ("driverVersion", c_int32), ("name", ctypes.c_char * 256)]


class _ProgramInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("chip", c_char_p), ("producer", c_char_p), ("verdict", c_char_p), ("numInputs", c_size_t),
                ("numOutputs", c_size_t), ("numLaunches", c_size_t), ("argumentBytes", c_uint64), ("temporaryBytes", c_uint64),
                ("bandwidth", c_uint64), ("tflops", c_uint64)]


class _Tensor(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("elementType", ctypes.c_int), ("rank", c_size_t), ("dims", POINTER(c_int64)), ("bytes", c_size_t)]


class _LaunchInfo(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("sharedBytes", c_uint32),
                ("implementation", c_char_p), ("reason", c_char_p)]


class _TimingOptions(ctypes.Structure):
    _fields_ = [("iterations", c_uint32), ("warmup", c_uint32), ("repeats", c_uint32), ("cold", c_int32), ("withoutGraph", c_int32)]


class _Timing(ctypes.Structure):
    _fields_ = [("median", c_double), ("minimum", c_double), ("mean", c_double), ("iterations", c_uint32)]


class Device:
    """A GPU. `library` is the path of libMirageRuntime.so."""

    def __init__(self, library, index=0):
        self.library = ctypes.CDLL(library)
        self.library.mirageRuntimeGetLastError.restype = c_char_p
        for name in ("mirageRuntimeCloseDevice", "mirageRuntimeDestroyProgram"):
            getattr(self.library, name).restype = None
        self.handle = c_void_p()
        self.call("OpenDevice", c_int32(index), byref(self.handle))
        self.info = _DeviceInfo()
        self.call("GetDeviceInfo", self.handle, byref(self.info))

    def call(self, function, *arguments):
        if getattr(self.library, "mirageRuntime" + function)(*arguments) != 0:
            raise Error(self.library.mirageRuntimeGetLastError().decode())

    def describe(self):
        return {"name": self.info.name.decode(), "capability": f"{self.info.major}.{self.info.minor}",
                "multiprocessors": self.info.multiprocessors, "l2_bytes": self.info.l2Bytes, "driver": self.info.driverVersion}

    def allocate(self, size):
        pointer = c_void_p()
        self.call("Allocate", self.handle, c_size_t(size), byref(pointer))
        return pointer.value

    def free(self, pointer):
        self.call("Free", self.handle, c_void_p(pointer))

    def write(self, pointer, data):
        self.call("CopyToDevice", self.handle, c_void_p(pointer), data, c_size_t(len(data)))

    def read(self, pointer, size):
        data = ctypes.create_string_buffer(size)
        self.call("CopyToHost", self.handle, data, c_void_p(pointer), c_size_t(size))
        return data.raw

    def fill(self, pointer, value, size):
        self.call("Fill", self.handle, c_void_p(pointer), ctypes.c_uint8(value), c_size_t(size))

    def close(self):
        self.library.mirageRuntimeCloseDevice(self.handle)


class Program:
    """A compiled program on a device."""

    def __init__(self, device, path):
        self.device = device
        self.handle = c_void_p()
        device.call("LoadProgramFile", device.handle, path.encode(), byref(self.handle))
        self.info = _ProgramInfo()
        device.call("GetProgramInfo", self.handle, byref(self.info))
        self.inputs = [self._tensor("GetInput", i) for i in range(self.info.numInputs)]
        self.outputs = [self._tensor("GetOutput", i) for i in range(self.info.numOutputs)]

    def _tensor(self, function, index):
        """(shape, element type, bytes)"""
        tensor = _Tensor()
        self.device.call(function, self.handle, c_size_t(index), byref(tensor))
        return [tensor.dims[d] for d in range(tensor.rank)], ELEMENT_TYPES[tensor.elementType], tensor.bytes

    def launches(self):
        """What runs: the kernel's name, or the library's, and why."""
        result = []
        for i in range(self.info.numLaunches):
            launch = _LaunchInfo()
            self.device.call("GetLaunch", self.handle, c_size_t(i), byref(launch))
            cluster, active = (c_uint32 * 3)(), c_uint32()
            self.device.call("GetClusters", self.handle, c_size_t(i), cluster, byref(active))
            result.append({"kernel": launch.kernel.decode(), "grid": list(launch.grid), "block": list(launch.block),
                           "shared_bytes": launch.sharedBytes, "cluster": list(cluster),
                           "active_clusters": active.value, "implementation": launch.implementation.decode(),
                           "reason": launch.reason.decode()})
        return result

    def launch(self, pointers, stream=None):
        """Enqueues it on a stream, on the addresses of inputs and outputs."""
        array = (c_void_p * len(pointers))(*pointers)
        self.device.call("Launch", self.handle, array, c_void_p(stream))

    def time(self, pointers, iterations, warmup=10, repeats=1, cold=False):
        """The single times, in microseconds."""
        array = (c_void_p * len(pointers))(*pointers)
        options = _TimingOptions(iterations, warmup, repeats, int(cold), 0)
        timing, samples = _Timing(), (c_double * iterations)()
        self.device.call("Time", self.handle, array, byref(options), byref(timing), samples)
        return list(samples)

    def close(self):
        self.device.library.mirageRuntimeDestroyProgram(self.handle)

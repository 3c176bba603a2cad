//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A shared library with the driver's functions that the runtime uses, for tests
// of the calls that it makes. Device memory is host memory, streams do
// everything at once, and a clock of its own makes times the same each time.
// What a copy or fill without a stream does it does as late as the driver may:
// when somebody waits for the default stream or works on it, or behind the
// first work of a stream that is non-blocking.
// Handles are counted, and calls that make no sense. Environment variables
// choose the device and make calls fail.
//
// Kernels: one named fake_add* adds its f32 parameters but the last into the
// last; mirage_read reads nothing, in the time that it takes a GPU; any other
// writes what it was launched with to its last parameter, or with
// FAKE_CUDA_RESULT=FILE what is in the file, as far as that goes. The kernel
// that FAKE_CUDA_WRONG names does not, and that of FAKE_CUDA_SLOW takes 100 us.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

namespace {

struct Work {
  double microseconds;
  std::function<void()> run;
};
using Graph = std::vector<Work>;

struct Module;
struct Function {
  std::string name;
  Module *module;
  size_t numParameters;
};
struct Module {
  std::string target;
  /// The PTX, or empty for machine code.
  std::string text;
  std::list<Function> functions;
};

struct State {
  std::recursive_mutex mutex;
  std::map<std::pair<std::string, void *>, std::unique_ptr<char>> handles;
  /// Sizes of allocations, and what calloc gave for them.
  std::map<std::uintptr_t, size_t> memory;
  std::map<std::uintptr_t, void *> bases;
  std::map<void *, std::unique_ptr<Module>> modules;
  std::map<void *, Graph> graphs;
  /// What a stream captures; by stream.
  std::map<void *, Graph> captures;
  std::map<void *, double> events;
  std::set<void *> nonBlocking;
  /// What the default stream has still to do.
  std::vector<std::function<void()>> pending;
  std::map<std::string, int> calls;
  int misuses = 0, contexts = 0, maxShared = 48 << 10, launches = 0;
  double clock = 0;
};
State &state() {
  static State state;
  return state;
}
thread_local int currentContexts = 0;

constexpr int kInvalidValue = 1, kOutOfMemory = 2, kInvalidContext = 201,
              kInvalidHandle = 400;

bool isSet(const char *name) { return std::getenv(name) != nullptr; }
int getNumber(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}
using Lock = std::lock_guard<std::recursive_mutex>;

/// The default stream does what it has to.
void finishPending() {
  std::vector<std::function<void()>> pending;
  pending.swap(state().pending);
  for (auto &work : pending)
    work();
}

} // namespace

std::string fake::getVariable(const char *name) {
  const char *text = std::getenv(name);
  return text ? text : "";
}

int fake::enter(const char *function) {
  Lock lock(state().mutex);
  int call = ++state().calls[function];
  std::string wanted = getVariable("FAKE_CUDA_FAIL");
  size_t colon = wanted.find(':');
  if (wanted.substr(0, colon) != function)
    return 0;
  int at =
      colon == std::string::npos ? 1 : std::atoi(wanted.c_str() + colon + 1);
  return call == at ? getNumber("FAKE_CUDA_FAIL_CODE", 999) : 0;
}

void *fake::create(const char *kind) {
  Lock lock(state().mutex);
  auto memory = std::make_unique<char>();
  void *handle = memory.get();
  state().handles[{kind, handle}] = std::move(memory);
  return handle;
}

bool fake::exists(const char *kind, const void *handle) {
  Lock lock(state().mutex);
  return state().handles.count({kind, const_cast<void *>(handle)});
}

bool fake::destroy(const char *kind, void *handle) {
  Lock lock(state().mutex);
  if (state().handles.erase({kind, handle}))
    return true;
  countMisuse(std::string("no such ") + kind);
  return false;
}

int fake::count(const char *kind) {
  Lock lock(state().mutex);
  return std::count_if(state().handles.begin(), state().handles.end(),
                       [&](auto &entry) { return entry.first.first == kind; });
}

void fake::countMisuse(const std::string &what) {
  Lock lock(state().mutex);
  ++state().misuses;
  std::fprintf(stderr, "fake CUDA: %s\n", what.c_str());
}

bool fake::isMemory(const void *pointer, size_t size) {
  Lock lock(state().mutex);
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto it = state().memory.upper_bound(address);
  if (it != state().memory.begin() &&
      address - std::prev(it)->first + size <= std::prev(it)->second)
    return true;
  countMisuse("an access outside of device memory");
  return false;
}

int fake::enqueue(void *stream, double microseconds,
                  std::function<void()> work) {
  Lock lock(state().mutex);
  if (stream && !exists("stream", stream)) {
    countMisuse("no such stream");
    return kInvalidHandle;
  }
  auto it = state().captures.find(stream);
  if (it != state().captures.end()) {
    it->second.push_back({microseconds, std::move(work)});
    return 0;
  }
  bool waits = !state().nonBlocking.count(stream);
  if (waits)
    finishPending();
  state().clock += microseconds;
  work();
  if (!waits)
    finishPending();
  return 0;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

#define ENTER                                                                  \
  if (int code = fake::enter(__func__))                                        \
    return code;                                                               \
  Lock lock(state().mutex);
/// For functions that give something back: they do so even when they are told
/// to fail, as the driver does after a kernel's fault.
#define ENTER_DESTROY                                                          \
  int code = fake::enter(__func__);                                            \
  Lock lock(state().mutex);                                                    \
  if (currentContexts < 1) {                                                   \
    fake::countMisuse(std::string(__func__) + " without a context");           \
    return kInvalidContext;                                                    \
  }
/// For functions that need a current context.
#define ENTER_CONTEXT                                                          \
  ENTER                                                                        \
  if (currentContexts < 1) {                                                   \
    fake::countMisuse(std::string(__func__) + " without a context");           \
    return kInvalidContext;                                                    \
  }

extern "C" {
int fakeCudaCountLive() {
  Lock lock(state().mutex);
  return state().handles.size() + state().memory.size() + state().contexts +
         state().captures.size() + std::abs(currentContexts);
}
int fakeCudaCountMisuses() { return state().misuses; }
int fakeCudaCountCalls(const char *function) {
  Lock lock(state().mutex);
  return state().calls[function];
}
/// A non-blocking stream of the caller's.
void *fakeCudaCreateStream() {
  Lock lock(state().mutex);
  void *stream = fake::create("stream");
  state().nonBlocking.insert(stream);
  return stream;
}
void fakeCudaDestroyStream(void *stream) {
  Lock lock(state().mutex);
  state().nonBlocking.erase(stream);
  fake::destroy("stream", stream);
}
void fakeCudaReset() {
  Lock lock(state().mutex);
  state().calls.clear();
  state().misuses = state().launches = 0;
}

int cuInit(unsigned) {
  ENTER
  return isSet("FAKE_CUDA_NO_DEVICE") ? 100 : 0;
}
int cuDriverGetVersion(int *version) {
  ENTER
  *version = getNumber("FAKE_CUDA_VERSION", 12040);
  return 0;
}
int cuGetErrorName(int code, const char **text) {
  *text = code == 100   ? "CUDA_ERROR_NO_DEVICE"
          : code == 218 ? "CUDA_ERROR_INVALID_PTX"
          : code == 2   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 999 ? "CUDA_ERROR_UNKNOWN"
                        : "CUDA_ERROR_ILLEGAL_ADDRESS";
  return code == 998;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == 100   ? "no CUDA-capable device is detected"
          : code == 218 ? "a PTX JIT compilation failed"
          : code == 2   ? "out of memory"
          : code == 999 ? "unknown error"
                        : "an illegal memory access was encountered";
  return 0;
}
int cuDeviceGetCount(int *count) {
  ENTER
  *count = 1;
  return 0;
}
int cuDeviceGet(int *device, int) {
  ENTER
  *device = 7;
  return 0;
}
int cuDeviceGetName(char *name, int size, int) {
  ENTER
  std::snprintf(name, size, "Fake GPU");
  return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  ENTER
  *bytes = size_t(1) << 30;
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER
  *value = attribute == 75   ? getNumber("FAKE_CUDA_MAJOR", 9)
           : attribute == 76 ? getNumber("FAKE_CUDA_MINOR", 0)
           : attribute == 97 ? getNumber("FAKE_CUDA_SHARED", 227 << 10)
           : attribute == 38 ? 48 << 20
           : attribute == 16 ? 132
                             : 0;
  return device == 7 ? 0 : 101;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  ENTER
  ++state().contexts;
  *context = &state().contexts;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  int code = fake::enter(__func__);
  Lock lock(state().mutex);
  --state().contexts;
  return code;
}
int cuCtxPushCurrent_v2(void *context) {
  ENTER
  if (context != &state().contexts || state().contexts < 1) {
    fake::countMisuse("no such context");
    return kInvalidContext;
  }
  ++currentContexts;
  return 0;
}
int cuCtxPopCurrent_v2(void **context) {
  ENTER_DESTROY
  *context = &state().contexts;
  --currentContexts;
  return code;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  ENTER_CONTEXT
  const char *text = static_cast<const char *>(image);
  bool isCubin = std::strncmp(text,
                              "\x7f"
                              "ELF",
                              4) == 0;
  if (isCubin && isSet("FAKE_CUDA_BAD_CUBIN"))
    return 209;
  if (!isCubin && isSet("FAKE_CUDA_BAD_PTX")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), "ptxas: line 7: oops\n");
    return 218;
  }
  const char *at = isCubin ? nullptr : std::strstr(text, ".target ");
  auto loaded = std::make_unique<Module>();
  loaded->target = at ? std::string(at + 8, std::strcspn(at + 8, "\n,")) : "";
  loaded->text = isCubin ? "" : text;
  *module = fake::create("module");
  state().modules[*module] = std::move(loaded);
  return 0;
}
int cuModuleUnload(void *module) {
  ENTER_DESTROY
  state().modules.erase(module);
  return fake::destroy("module", module) ? code : kInvalidHandle;
}
/// How many parameters a kernel has: those in the PTX, the number at the end of
/// fake_addN, or two.
static size_t countParameters(const std::string &text,
                              const std::string &name) {
  size_t at = text.find(".entry " + name + "(");
  size_t count = 0;
  if (at != std::string::npos) {
    size_t end = text.find(')', at);
    while ((at = text.find(".param", at + 1)) < end)
      ++count;
    return count;
  }
  return name.compare(0, 8, "fake_add") == 0 ? std::atoi(name.c_str() + 8) : 2;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER_CONTEXT
  auto it = state().modules.find(module);
  if (it == state().modules.end()) {
    fake::countMisuse("no such module");
    return kInvalidHandle;
  }
  Module &owner = *it->second;
  owner.functions.push_back({name, &owner, countParameters(owner.text, name)});
  *function = &owner.functions.back();
  return 0;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  ENTER_CONTEXT
  if (attribute == 8)
    state().maxShared = value;
  return 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
  ENTER_CONTEXT
  const std::string &text = static_cast<Function *>(function)->module->text;
  size_t at = text.find(".reqnctapercluster");
  int sizes[3] = {};
  if (at != std::string::npos)
    std::sscanf(text.c_str() + at, ".reqnctapercluster %d, %d, %d", &sizes[0],
                &sizes[1], &sizes[2]);
  *value = attribute >= 11 && attribute <= 13 ? sizes[attribute - 11] : 0;
  return 0;
}
/// As if groups had 16 multiprocessors but two, which have less than 4 too
/// many, and each ran one block.
int cuOccupancyMaxActiveClusters(int *count, void *function,
                                 const void *config) {
  ENTER_CONTEXT
  // Grid, block, shared memory; nothing behind the stream.
  const auto *numbers = static_cast<const unsigned *>(config);
  for (int i = 0; i < 6; ++i)
    if (numbers[i] == 0)
      fake::countMisuse("a launch of nothing");
  int blocks = 1;
  for (int d = 0; d < 3; ++d) {
    int size;
    cuFuncGetAttribute(&size, 11 + d, function);
    blocks *= std::max(size, 1);
  }
  *count = 5 * (16 / blocks) + 2 * (14 / blocks);
  return 0;
}

int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  ENTER_CONTEXT
  if (bytes == 0)
    return kInvalidValue;
  // Zeros that cost nothing where much is asked for.
  void *memory = std::calloc(bytes + 256, 1);
  if (!memory)
    return kOutOfMemory;
  *pointer = (reinterpret_cast<std::uintptr_t>(memory) + 255) / 256 * 256;
  state().bases[*pointer] = memory;
  state().memory[*pointer] = bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long pointer) {
  ENTER_DESTROY
  finishPending();
  if (!state().memory.erase(pointer)) {
    fake::countMisuse("no such memory");
    return kInvalidValue;
  }
  std::free(state().bases[pointer]);
  state().bases.erase(pointer);
  return code;
}
int cuMemsetD8_v2(unsigned long long pointer, unsigned char value, size_t n) {
  ENTER_CONTEXT
  void *to = reinterpret_cast<void *>(static_cast<std::uintptr_t>(pointer));
  if (!fake::isMemory(to, n))
    return kInvalidValue;
  // What is larger than any tensor of a test is not looked at.
  size_t written = std::min<size_t>(n, 4 << 20);
  state().pending.push_back([=] { std::memset(to, value, written); });
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  ENTER_CONTEXT
  void *pointer = reinterpret_cast<void *>(static_cast<std::uintptr_t>(to));
  if (!fake::isMemory(pointer, bytes))
    return kInvalidValue;
  // Pageable memory is read at once, and may go.
  auto *begin = static_cast<const char *>(from);
  std::vector<char> staged(begin, begin + bytes);
  state().pending.push_back(
      [=] { std::memcpy(pointer, staged.data(), bytes); });
  return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  ENTER_CONTEXT
  void *pointer = reinterpret_cast<void *>(static_cast<std::uintptr_t>(from));
  if (!fake::isMemory(pointer, bytes))
    return kInvalidValue;
  finishPending();
  std::memcpy(to, pointer, bytes);
  return 0;
}

/// What is encoded begins with the buffer's address, so that kernels find it
/// where others have it.
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                           const unsigned long long *sizes,
                           const unsigned long long *strides,
                           const unsigned *box, const unsigned *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  ENTER_CONTEXT
  size_t element = type == 7 ? 4 : 2, bytes = element;
  bool good = reinterpret_cast<std::uintptr_t>(map) % 128 == 0 &&
              reinterpret_cast<std::uintptr_t>(address) % 16 == 0 &&
              (type == 6 || type == 7 || type == 9) && rank >= 1 && rank <= 5 &&
              interleave == 0 && swizzle >= 0 && swizzle <= 3 &&
              promotion == 2 && fill == 0;
  for (unsigned i = 0; good && i < rank; ++i) {
    bytes *= sizes[i];
    good = sizes[i] >= 1 && box[i] >= 1 && box[i] <= 256 && steps[i] == 1 &&
           (i + 1 == rank || (strides[i] == bytes && strides[i] % 16 == 0));
  }
  good = good && box[0] * element % 16 == 0 &&
         (!swizzle || box[0] * element <= (16u << swizzle));
  if (!good) {
    fake::countMisuse("a tensor map that the TMA doesn't have");
    return kInvalidValue;
  }
  if (!fake::isMemory(address, bytes))
    return kInvalidValue;
  std::memset(map, 0, 128);
  std::memcpy(map, &address, sizeof(address));
  return 0;
}

/// How many bytes there are from `pointer` to the end of its allocation.
static size_t countBytes(const float *pointer) {
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto it = state().memory.upper_bound(address);
  if (it == state().memory.begin())
    return 0;
  --it;
  size_t offset = address - it->first;
  return offset < it->second ? it->second - offset : 0;
}
static size_t countFloats(const float *pointer) {
  return countBytes(pointer) / sizeof(float);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **) {
  ENTER_CONTEXT
  auto &[name, module, count] = *static_cast<Function *>(function);
  std::vector<float *> buffers;
  for (size_t i = 0; i < count; ++i)
    buffers.push_back(reinterpret_cast<float *>(static_cast<std::uintptr_t>(
        *static_cast<unsigned long long *>(parameters[i]))));
  if (name == "mirage_read") {
    auto &[address, bytes] =
        *state().memory.find(*static_cast<unsigned long long *>(parameters[0]));
    if (*static_cast<unsigned long long *>(parameters[1]) != bytes / 16)
      fake::countMisuse("a buffer that isn't read to its end");
    return fake::enqueue(stream, 40, [] {});
  }
  double microseconds = 5 + 2 * (state().launches++ % 3);
  if (name == fake::getVariable("FAKE_CUDA_SLOW"))
    microseconds = 100;
  if (name.compare(0, 8, "fake_add") == 0)
    return fake::enqueue(stream, microseconds, [=] {
      float *result = buffers.back();
      for (size_t e = 0, n = countFloats(result); e < n; ++e) {
        float sum = 0;
        for (size_t i = 0; i + 1 < buffers.size(); ++i)
          sum += e < countFloats(buffers[i]) ? buffers[i][e] : 0;
        result[e] = sum;
      }
    });
  if (buffers.empty())
    return fake::enqueue(stream, microseconds, [] {});
  if (isSet("FAKE_CUDA_RESULT") &&
      name != fake::getVariable("FAKE_CUDA_WRONG")) {
    std::ifstream file(fake::getVariable("FAKE_CUDA_RESULT"), std::ios::binary);
    std::string result{std::istreambuf_iterator<char>(file), {}};
    return fake::enqueue(stream, microseconds, [=] {
      std::memcpy(buffers.back(), result.data(),
                  std::min(countBytes(buffers.back()), result.size()));
    });
  }
  float chip = module->text.empty() ? 1 : module->target == "sm_90a" ? 90 : 80;
  return fake::enqueue(stream, microseconds, [=] {
    const float *x = buffers[0];
    const float values[] = {float(gx * 100 + gy * 10 + gz),
                            float(bx * 100 + by * 10 + bz),
                            float(shared),
                            float(state().maxShared),
                            countFloats(x) > 0 ? x[0] : 0,
                            countFloats(x) > 1 ? x[1] : 0,
                            chip,
                            float(state().contexts * 100 +
                                  fake::count("module") * 10 +
                                  int(state().memory.size()))};
    // Of the test's nine elements the last is left as it was.
    std::memcpy(buffers.back(), values,
                std::min(countFloats(buffers.back()), std::size(values)) *
                    sizeof(float));
  });
}

int cuLaunchKernelEx(const void *config, void *function, void **parameters,
                     void **extra) {
  ENTER_CONTEXT
  struct Config {
    unsigned grid[3], block[3], sharedBytes;
    void *stream;
    const int *attributes;
    unsigned numAttributes;
  };
  const auto &launch = *static_cast<const Config *>(config);
  // The only attribute that is known here: 64 bytes behind a number of 8, of
  // which the first 4 say whether the launch may overlap.
  if (launch.numAttributes != 1 || launch.attributes[0] != 6 ||
      launch.attributes[2] != 1)
    fake::countMisuse("a launch with other attributes");
  return cuLaunchKernel(function, launch.grid[0], launch.grid[1],
                        launch.grid[2], launch.block[0], launch.block[1],
                        launch.block[2], launch.sharedBytes, launch.stream,
                        parameters, extra);
}

int cuStreamCreate(void **stream, unsigned flags) {
  ENTER_CONTEXT
  *stream = fake::create("stream");
  if (flags & 1)
    state().nonBlocking.insert(*stream);
  return 0;
}
int cuStreamDestroy_v2(void *stream) {
  ENTER_DESTROY
  state().nonBlocking.erase(stream);
  return fake::destroy("stream", stream) ? code : kInvalidHandle;
}
int cuStreamSynchronize(void *stream) {
  ENTER_CONTEXT
  if (stream && !fake::exists("stream", stream)) {
    fake::countMisuse("no such stream");
    return kInvalidHandle;
  }
  if (!state().nonBlocking.count(stream))
    finishPending();
  return isSet("FAKE_CUDA_FAULT") ? 700 : 0;
}
int cuStreamBeginCapture_v2(void *stream, int) {
  ENTER_CONTEXT
  if (!stream || state().captures.count(stream)) {
    fake::countMisuse("can't capture that stream");
    return kInvalidValue;
  }
  state().captures[stream];
  return 0;
}
int cuStreamEndCapture(void *stream, void **graph) {
  // The capture ends in any case.
  int code = fake::enter(__func__);
  Lock lock(state().mutex);
  auto it = state().captures.find(stream);
  if (it == state().captures.end()) {
    fake::countMisuse("that stream isn't capturing");
    return kInvalidValue;
  }
  if (!code) {
    *graph = fake::create("graph");
    state().graphs[*graph] = it->second;
  }
  state().captures.erase(it);
  return code;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph,
                                unsigned long long) {
  ENTER_CONTEXT
  if (!fake::exists("graph", graph)) {
    fake::countMisuse("no such graph");
    return kInvalidHandle;
  }
  *executable = fake::create("executable graph");
  state().graphs[*executable] = state().graphs[graph];
  return 0;
}
int cuGraphDestroy(void *graph) {
  ENTER_DESTROY
  state().graphs.erase(graph);
  return fake::destroy("graph", graph) ? code : kInvalidHandle;
}
int cuGraphExecDestroy(void *executable) {
  ENTER_DESTROY
  state().graphs.erase(executable);
  return fake::destroy("executable graph", executable) ? code : kInvalidHandle;
}
int cuGraphLaunch(void *executable, void *stream) {
  ENTER_CONTEXT
  if (!fake::exists("executable graph", executable)) {
    fake::countMisuse("no such executable graph");
    return kInvalidHandle;
  }
  for (Work &work : state().graphs[executable])
    if (int code = fake::enqueue(stream, work.microseconds, work.run))
      return code;
  return 0;
}

int cuEventCreate(void **event, unsigned) {
  ENTER_CONTEXT
  *event = fake::create("event");
  return 0;
}
int cuEventDestroy_v2(void *event) {
  ENTER_DESTROY
  return fake::destroy("event", event) ? code : kInvalidHandle;
}
int cuEventRecord(void *event, void *stream) {
  ENTER_CONTEXT
  return fake::enqueue(stream, 0,
                       [=] { state().events[event] = state().clock; });
}
int cuEventSynchronize(void *) {
  ENTER_CONTEXT
  return isSet("FAKE_CUDA_FAULT") ? 700 : 0;
}
int cuEventElapsedTime(float *milliseconds, void *start, void *stop) {
  ENTER_CONTEXT
  *milliseconds =
      static_cast<float>((state().events[stop] - state().events[start]) / 1e3);
  return 0;
}
}

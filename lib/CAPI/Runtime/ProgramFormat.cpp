//===- ProgramFormat.cpp - Writes and reads compiled programs -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/ProgramFormat.h"
#include <cstring>
#include <limits>

using namespace mirage;
using namespace mirage::program_file;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

size_t program_file::getSize(Type type) {
  switch (type) {
  case Type::F16:
  case Type::BF16:
    return 2;
  case Type::F32:
    return 4;
  case Type::F64:
    return 8;
  }
  return 0;
}

size_t Buffer::getBytes() const {
  size_t bytes = getSize(type);
  for (int64_t size : shape)
    bytes *= static_cast<size_t>(size);
  return bytes;
}

size_t Program::count(Kind kind) const {
  size_t n = 0;
  for (const Buffer &buffer : buffers)
    n += buffer.kind == kind;
  return n;
}

/// Multiplies, or returns false if the product is more than an int64_t.
static bool multiply(int64_t &product, int64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

static std::string verifyBuffer(const Buffer &buffer) {
  if (buffer.kind > Kind::Temporary)
    return "has an unknown kind";
  if (buffer.type > Type::F64)
    return "has an unknown element type";
  if (buffer.shape.size() > kMaxRank)
    return "has rank " + std::to_string(buffer.shape.size()) +
           ", expected at most " + std::to_string(kMaxRank);
  int64_t bytes = static_cast<int64_t>(getSize(buffer.type));
  for (int64_t size : buffer.shape) {
    if (size < 1)
      return "has a dimension of size " + std::to_string(size);
    if (!multiply(bytes, size))
      return "has more bytes than can be counted";
  }
  return "";
}

static bool isProduct(LibraryCall::Op op) {
  return op == LibraryCall::Op::Matmul ||
         op == LibraryCall::Op::MatmulTransposed ||
         op == LibraryCall::Op::MatmulTransposedLhs;
}

static std::string verifyMatmul(const LibraryCall &call,
                                const std::vector<const Buffer *> &buffers) {
  if (buffers.size() != 3)
    return "calls a library's matmul with " + std::to_string(buffers.size()) +
           " buffers, expected 3";
  // What cublasLt takes as the size of a matrix.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  for (int64_t size : {call.batch, call.m, call.n, call.k})
    if (size < 1 || size > kMost)
      return "calls a library's matmul with a size of " + std::to_string(size);
  const int64_t sides[3][2] = {
      {call.m, call.k}, {call.k, call.n}, {call.m, call.n}};
  for (int i = 0; i < 3; ++i) {
    int64_t bytes = static_cast<int64_t>(getSize(buffers[i]->type));
    auto isAll = [&] {
      return static_cast<size_t>(bytes) == buffers[i]->getBytes();
    };
    bool fits = multiply(bytes, sides[i][0]) && multiply(bytes, sides[i][1]);
    bool isRepeated = fits && i < 2 && isAll();
    if (!isRepeated && !(fits && multiply(bytes, call.batch) && isAll()))
      return "calls a library's matmul on a buffer of another size";
  }
  Type lhs = buffers[0]->type, rhs = buffers[1]->type,
       result = buffers[2]->type;
  if (lhs != rhs || lhs == Type::F64 || (result != lhs && result != Type::F32))
    return "calls a library's matmul on element types that it doesn't have";
  return "";
}

std::string program_file::verify(const LibraryCall &call,
                                 const std::vector<const Buffer *> &buffers) {
  switch (call.op) {
  case LibraryCall::Op::None:
    return "";
  case LibraryCall::Op::Matmul:
  case LibraryCall::Op::MatmulTransposed:
  case LibraryCall::Op::MatmulTransposedLhs:
    return verifyMatmul(call, buffers);
  }
  return "has an unknown library call";
}

std::string program_file::verify(const TensorMap &map, const Buffer &buffer) {
  using namespace tensor_map;
  if (buffer.type == Type::F64)
    return "has a tensor map of f64";
  size_t rank = map.shape.size();
  if (rank < 1 || rank > tensor_map::kMaxRank || map.box.size() != rank)
    return "has a tensor map of rank " + std::to_string(rank) +
           " with a box of rank " + std::to_string(map.box.size());
  int64_t size = static_cast<int64_t>(getSize(buffer.type)), bytes = size;
  for (size_t i = rank; i-- > 0;) {
    if (map.shape[i] < 1 || map.shape[i] > kMaxSize)
      return "has a tensor map with a dimension of size " +
             std::to_string(map.shape[i]);
    if (map.box[i] < 1 || map.box[i] > kMaxBox)
      return "has a tensor map with a box of size " +
             std::to_string(map.box[i]);
    // From one element of dimension i to the next.
    if (i + 1 < rank && (bytes % kPiece || bytes > kMaxStride))
      return "has a tensor map with a stride of " + std::to_string(bytes) +
             " bytes";
    if (!multiply(bytes, map.shape[i]))
      return "has a tensor map of more bytes than can be counted";
  }
  if (static_cast<size_t>(bytes) != buffer.getBytes())
    return "has a tensor map of " + std::to_string(bytes) +
           " bytes of a buffer of " + std::to_string(buffer.getBytes());
  uint32_t swizzle = map.swizzleBytes;
  if (!isSwizzle(swizzle))
    return "has a tensor map with a swizzle of " + std::to_string(swizzle) +
           " bytes";
  int64_t row = map.box.back() * size;
  if (row % kPiece || (swizzle && row > swizzle))
    return "has a tensor map with a box with rows of " + std::to_string(row) +
           " bytes";
  return "";
}

static std::string verifyLaunch(const Launch &launch, const Program &program) {
  if (launch.module >= program.modules.size())
    return "is of module " + std::to_string(launch.module) + " of " +
           std::to_string(program.modules.size());
  if (launch.kernel.empty() || launch.kernel.find('\0') != std::string::npos)
    return "has no kernel's name";
  const uint32_t mostBlocks[] = {0x7fffffff, 65535, 65535};
  const uint32_t mostThreads[] = {1024, 1024, 64};
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1 || launch.grid[i] > mostBlocks[i])
      return "has a grid size of " + std::to_string(launch.grid[i]);
    if (launch.block[i] < 1 || launch.block[i] > mostThreads[i])
      return "has a block size of " + std::to_string(launch.block[i]);
    threads *= launch.block[i];
  }
  if (threads > 1024)
    return "has blocks of " + std::to_string(threads) + " threads";
  if (launch.sharedBytes > 0x7fffffff)
    return "has " + std::to_string(launch.sharedBytes) +
           " bytes of shared memory";
  // A library takes what is passed by its address, and that comes first.
  std::vector<const Buffer *> pointers;
  bool isBehindMap = false;
  for (const Argument &argument : launch.arguments) {
    if (argument.buffer >= program.buffers.size())
      return "has buffer " + std::to_string(argument.buffer) + " of " +
             std::to_string(program.buffers.size());
    const Buffer &buffer = program.buffers[argument.buffer];
    if (!argument.map) {
      pointers.push_back(&buffer);
      if (isBehindMap && launch.library.op != LibraryCall::Op::None)
        return "calls a library with a buffer behind a tensor map";
      continue;
    }
    isBehindMap = true;
    if (std::string error = verify(*argument.map, buffer); !error.empty())
      return error;
  }
  return verify(launch.library, pointers);
}

std::string program_file::verify(const Program &program) {
  Kind last = Kind::Input;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer &buffer = program.buffers[i];
    std::string error = verifyBuffer(buffer);
    if (error.empty() && buffer.kind < last)
      error = "is not in the order inputs, outputs, temporaries";
    if (!error.empty())
      return "buffer " + std::to_string(i) + " " + error;
    last = buffer.kind;
  }
  for (size_t i = 0; i < program.modules.size(); ++i)
    if (program.modules[i].ptx.empty() && program.modules[i].cubin.empty())
      return "module " + std::to_string(i) + " has no code";
  for (size_t i = 0; i < program.launches.size(); ++i)
    if (std::string error = verifyLaunch(program.launches[i], program);
        !error.empty())
      return "launch " + std::to_string(i) + " " + error;
  return "";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

class Writer {
public:
  template <typename T> void integer(T value) {
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(
          static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  void string(const std::string &text) {
    integer<uint64_t>(text.size());
    bytes += text;
  }
  void size(size_t n) { integer<uint32_t>(static_cast<uint32_t>(n)); }

  std::string bytes;
};

} // namespace

/// What a parameter is.
static constexpr uint8_t kAddress = 0, kTensorMap = 1;

/// FNV-1a (Fowler, Noll, Vo).
static uint64_t getChecksum(const char *data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(data[i])) * 0x100000001b3;
  return hash;
}

std::string program_file::encode(const Program &program) {
  Writer body;
  for (const std::string *text :
       {&program.producer, &program.name, &program.chip})
    body.string(*text);
  body.integer<uint64_t>(program.bandwidth);
  body.integer<uint64_t>(program.tflops);
  body.string(program.verdict);
  body.size(program.buffers.size());
  for (const Buffer &buffer : program.buffers) {
    body.integer(static_cast<uint8_t>(buffer.kind));
    body.integer(static_cast<uint8_t>(buffer.type));
    body.string(buffer.name);
    body.size(buffer.shape.size());
    for (int64_t size : buffer.shape)
      body.integer<int64_t>(size);
  }
  body.size(program.modules.size());
  for (const Module &module : program.modules)
    for (const std::string *text : {&module.name, &module.ptx, &module.cubin})
      body.string(*text);
  body.size(program.launches.size());
  for (const Launch &launch : program.launches) {
    body.integer<uint32_t>(launch.module);
    body.string(launch.kernel);
    for (const auto &sizes : {launch.grid, launch.block})
      for (uint32_t size : sizes)
        body.integer<uint32_t>(size);
    body.integer<uint32_t>(launch.sharedBytes);
    body.size(launch.arguments.size());
    for (const Argument &argument : launch.arguments) {
      body.integer(static_cast<uint8_t>(argument.map ? kTensorMap : kAddress));
      body.integer<uint32_t>(argument.buffer);
      if (!argument.map)
        continue;
      for (const auto &sizes : {argument.map->shape, argument.map->box}) {
        body.size(sizes.size());
        for (int64_t size : sizes)
          body.integer<int64_t>(size);
      }
      body.integer<uint32_t>(argument.map->swizzleBytes);
    }
    body.integer(static_cast<uint8_t>(launch.library.op));
    if (isProduct(launch.library.op))
      for (int64_t size : {launch.library.batch, launch.library.m,
                           launch.library.n, launch.library.k})
        body.integer<int64_t>(size);
  }

  Writer file;
  file.bytes.assign(kMagic, kMagicSize);
  file.integer<uint32_t>(kVersion);
  file.integer<uint32_t>(0);
  file.integer<uint64_t>(kHeaderSize + body.bytes.size());
  file.integer<uint64_t>(getChecksum(body.bytes.data(), body.bytes.size()));
  return file.bytes + body.bytes;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Reads fields one after the other. After one that lies beyond the end, and
/// from then on, fields are zero or empty and `good` is false.
class Reader {
public:
  Reader(const char *data, size_t size) : data(data), left(size) {}

  template <typename T> T integer() {
    if (!good || left < sizeof(T)) {
      good = false;
      return T();
    }
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(data[i]))
               << (8 * i);
    advance(sizeof(T));
    return static_cast<T>(value);
  }
  std::string string() {
    uint64_t size = integer<uint64_t>();
    if (!good || size > left) {
      good = false;
      return "";
    }
    std::string text(data, size);
    advance(size);
    return text;
  }
  /// Calls `read` for each element of a list. A list that claims to be longer
  /// than the file ends with the file.
  template <typename Read> void list(Read read) {
    for (uint32_t n = integer<uint32_t>(); n > 0 && good; --n)
      read();
  }

  bool good = true;
  size_t getLeft() const { return left; }

private:
  void advance(size_t n) {
    data += n;
    left -= n;
  }
  const char *data;
  size_t left;
};

} // namespace

bool program_file::isProgram(const void *data, size_t size) {
  return size >= kMagicSize && std::memcmp(data, kMagic, kMagicSize) == 0;
}

static void readBuffer(Reader &reader, Buffer &buffer) {
  buffer.kind = static_cast<Kind>(reader.integer<uint8_t>());
  buffer.type = static_cast<Type>(reader.integer<uint8_t>());
  buffer.name = reader.string();
  reader.list([&] { buffer.shape.push_back(reader.integer<int64_t>()); });
}

/// False if there is a parameter of a kind that is not known.
static bool readLaunch(Reader &reader, Launch &launch) {
  bool known = true;
  launch.module = reader.integer<uint32_t>();
  launch.kernel = reader.string();
  for (auto *sizes : {&launch.grid, &launch.block})
    for (uint32_t &size : *sizes)
      size = reader.integer<uint32_t>();
  launch.sharedBytes = reader.integer<uint32_t>();
  reader.list([&] {
    uint8_t kind = reader.integer<uint8_t>();
    known &= kind <= kTensorMap;
    Argument &argument = launch.arguments.emplace_back();
    argument.buffer = reader.integer<uint32_t>();
    if (kind != kTensorMap)
      return;
    TensorMap &map = argument.map.emplace();
    for (auto *sizes : {&map.shape, &map.box})
      reader.list([&] { sizes->push_back(reader.integer<int64_t>()); });
    map.swizzleBytes = reader.integer<uint32_t>();
  });
  launch.library.op = static_cast<LibraryCall::Op>(reader.integer<uint8_t>());
  if (isProduct(launch.library.op))
    for (int64_t *size : {&launch.library.batch, &launch.library.m,
                          &launch.library.n, &launch.library.k})
      *size = reader.integer<int64_t>();
  return known;
}

DecodeStatus program_file::decode(const void *data, size_t size,
                                  Program &program, std::string &message) {
  auto invalid = [&](const std::string &why) {
    message = why;
    return DecodeStatus::Invalid;
  };
  if (!isProgram(data, size))
    return invalid("it is not a compiled program");
  const char *bytes = static_cast<const char *>(data);
  Reader header(bytes + kMagicSize, size - kMagicSize);
  uint32_t version = header.integer<uint32_t>();
  uint32_t zero = header.integer<uint32_t>();
  uint64_t fileSize = header.integer<uint64_t>();
  uint64_t checksum = header.integer<uint64_t>();
  if (!header.good)
    return invalid("it ends within its header");
  if (version != kVersion) {
    message = "it has format version " + std::to_string(version) +
              ", expected " + std::to_string(kVersion);
    return DecodeStatus::OtherVersion;
  }
  if (fileSize != size)
    return invalid("it has " + std::to_string(size) +
                   " bytes, its header says " + std::to_string(fileSize));
  if (zero != 0 ||
      checksum != getChecksum(bytes + kHeaderSize, size - kHeaderSize))
    return invalid("it is damaged: its checksum is wrong");

  program = Program();
  Reader reader(bytes + kHeaderSize, size - kHeaderSize);
  for (std::string *text : {&program.producer, &program.name, &program.chip})
    *text = reader.string();
  program.bandwidth = reader.integer<uint64_t>();
  program.tflops = reader.integer<uint64_t>();
  program.verdict = reader.string();
  reader.list([&] { readBuffer(reader, program.buffers.emplace_back()); });
  reader.list([&] {
    Module &module = program.modules.emplace_back();
    for (std::string *text : {&module.name, &module.ptx, &module.cubin})
      *text = reader.string();
  });
  bool known = true;
  reader.list(
      [&] { known &= readLaunch(reader, program.launches.emplace_back()); });
  if (!reader.good || reader.getLeft() != 0)
    return invalid("its description doesn't end with the file");
  if (!known)
    return invalid("a launch has a parameter of an unknown kind");
  message = verify(program);
  return message.empty() ? DecodeStatus::Success : DecodeStatus::Invalid;
}

//===- ProgramFormatTest.cpp - Files of compiled programs -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"
#include <cstring>
#include <random>

using namespace mirage;
using namespace mirage::program_file;
using namespace mirage::runtime_test;
using testing::HasSubstr;

namespace {

/// The message of reading `bytes`.
std::string getMessage(const std::string &bytes,
                       DecodeStatus expected = DecodeStatus::Invalid) {
  Program program;
  std::string message;
  EXPECT_EQ(decode(bytes.data(), bytes.size(), program, message), expected);
  return message;
}

/// Puts size and checksum right.
void seal(std::string &bytes) {
  uint64_t size = bytes.size(), hash = 0xcbf29ce484222325;
  for (size_t i = kHeaderSize; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
  std::memcpy(&bytes[16], &size, 8);
  std::memcpy(&bytes[24], &hash, 8);
}

Program getMatmul() {
  Program program = getSums();
  program.buffers = {{Kind::Input, Type::F16, "a", {2, 3, 4}},
                     {Kind::Input, Type::F16, "b", {2, 4, 5}},
                     {Kind::Output, Type::F32, "c", {2, 3, 5}}};
  program.launches.resize(1);
  program.launches[0].arguments = {0, 1, 2};
  program.launches[0].library = {LibraryCall::Op::Matmul, 2, 3, 5, 4};
  return program;
}

/// Rows of 4 x 5 bf16 would be no multiple of 16 bytes.
Program getTensorMaps() {
  Program program = getMatmul();
  program.buffers[0] = {Kind::Input, Type::BF16, "a", {3, 4, 64}};
  program.launches[0].library = {};
  program.launches[0].arguments[0].map = {{12, 64}, {8, 32}, 64};
  return program;
}

TEST(ProgramFormatTest, RoundTrip) {
  for (Program program : {getSums(), getMatmul(), getTensorMaps(), Program()}) {
    std::string bytes = encode(program);
    EXPECT_TRUE(isProgram(bytes.data(), bytes.size()));
    Program back;
    std::string message;
    ASSERT_EQ(decode(bytes.data(), bytes.size(), back, message),
              DecodeStatus::Success)
        << message;
    EXPECT_EQ(encode(back), bytes);
    EXPECT_EQ(back.name, program.name);
    EXPECT_EQ(back.buffers.size(), program.buffers.size());
    ASSERT_EQ(back.launches.size(), program.launches.size());
    for (size_t i = 0; i < back.launches.size(); ++i)
      EXPECT_EQ(back.launches[i].arguments, program.launches[i].arguments);
  }
  Program back;
  std::string message, bytes = encode(getMatmul());
  decode(bytes.data(), bytes.size(), back, message);
  EXPECT_EQ(back.buffers[2].getBytes(), 120u);
  EXPECT_EQ(back.launches[0].library.k, 4);
  EXPECT_EQ(back.launches[0].grid[0], 2u);
  EXPECT_EQ(back.tflops, 990u);
}

/// The bytes of a small file, so that the format doesn't change by accident.
TEST(ProgramFormatTest, Layout) {
  Program program;
  program.name = "f";
  std::string bytes = encode(program);
  // Five strings and numbers of 8 bytes, one letter, a string, three lists.
  EXPECT_EQ(bytes.size(), kHeaderSize + 6 * 8 + 1 + 3 * 4);
  EXPECT_EQ(bytes.substr(0, 16),
            std::string("\x89MIRAGE\n\x02\0\0\0\0\0\0\0", 16));
}

TEST(ProgramFormatTest, EveryChangedByteIsFound) {
  std::string bytes = encode(getTensorMaps());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 0x10;
    Program program;
    std::string message;
    EXPECT_NE(decode(damaged.data(), damaged.size(), program, message),
              DecodeStatus::Success)
        << "byte " << i;
    EXPECT_NE(message, "");
  }
}

TEST(ProgramFormatTest, EveryTruncationIsFound) {
  std::string bytes = encode(getTensorMaps());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(getMessage(bytes.substr(0, size)), "") << size;
    if (size < kHeaderSize)
      continue;
    // With a header that says so, too.
    std::string sealed = bytes.substr(0, size);
    seal(sealed);
    EXPECT_NE(getMessage(sealed), "") << size;
  }
  bytes += '\0';
  seal(bytes);
  EXPECT_EQ(getMessage(bytes), "its description doesn't end with the file");
}

TEST(ProgramFormatTest, Headers) {
  std::string bytes = encode(getSums());
  EXPECT_EQ(getMessage("#!/bin/sh\n"), "it is not a compiled program");
  EXPECT_EQ(getMessage(""), "it is not a compiled program");
  EXPECT_EQ(getMessage(bytes.substr(0, 20)), "it ends within its header");
  EXPECT_THAT(getMessage(bytes.substr(0, 40)), HasSubstr("its header says"));
  std::string other = bytes;
  other[8] = 3;
  EXPECT_EQ(getMessage(other, DecodeStatus::OtherVersion),
            "it has format version 3, expected 2");
  other = bytes;
  other.back() ^= 1;
  EXPECT_EQ(getMessage(other), "it is damaged: its checksum is wrong");
}

/// Files with a right checksum and wrong contents end in a message, whatever
/// they contain. What is accepted can be written again.
TEST(ProgramFormatTest, RandomChanges) {
  std::mt19937 random(7);
  const std::string files[] = {encode(getMatmul()), encode(getTensorMaps())};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = files[i % 2];
    for (int n = random() % 3; n >= 0; --n)
      changed[kHeaderSize + random() % (changed.size() - kHeaderSize)] =
          static_cast<char>(random() % 4 ? random() % 8 : random());
    seal(changed);
    Program program;
    std::string message;
    if (decode(changed.data(), changed.size(), program, message) ==
        DecodeStatus::Success) {
      ++accepted;
      EXPECT_EQ(encode(program), changed);
    } else {
      EXPECT_NE(message, "");
    }
  }
  // Names may be anything.
  EXPECT_GT(accepted, 0);
}

TEST(ProgramFormatTest, UnknownParameter) {
  Program program;
  program.buffers = {{Kind::Input, Type::F32, "", {}}};
  program.modules = {{"", "x", ""}};
  program.launches.emplace_back().kernel = "k";
  program.launches[0].arguments = {0};
  std::string bytes = encode(program);
  // In front of the index and of the library call.
  bytes[bytes.size() - 6] = 2;
  seal(bytes);
  EXPECT_EQ(getMessage(bytes), "a launch has a parameter of an unknown kind");
}

TEST(ProgramFormatTest, Verification) {
  auto check = [](auto change, const std::string &message) {
    Program program = getMatmul();
    change(program);
    EXPECT_EQ(verify(program), message);
    EXPECT_EQ(getMessage(encode(program)), message);
  };
  using P = Program &;
  check([](P p) { p.buffers[1].shape[1] = 0; },
        "buffer 1 has a dimension of size 0");
  check([](P p) { p.buffers[1].shape[1] = -4; },
        "buffer 1 has a dimension of size -4");
  check([](P p) { p.buffers[0].shape = {1L << 31, 1L << 31, 4}; },
        "buffer 0 has more bytes than can be counted");
  check([](P p) { p.buffers[0].shape.resize(33, 1); },
        "buffer 0 has rank 33, expected at most 32");
  check([](P p) { p.buffers[0].type = static_cast<Type>(4); },
        "buffer 0 has an unknown element type");
  check([](P p) { p.buffers[0].kind = static_cast<Kind>(3); },
        "buffer 0 has an unknown kind");
  check([](P p) { std::swap(p.buffers[1], p.buffers[2]); },
        "buffer 2 is not in the order inputs, outputs, temporaries");
  check([](P p) { p.modules[0].ptx = ""; }, "module 0 has no code");
  check([](P p) { p.launches[0].module = 1; }, "launch 0 is of module 1 of 1");
  check([](P p) { p.launches[0].kernel = ""; },
        "launch 0 has no kernel's name");
  check([](P p) { p.launches[0].kernel += '\0'; },
        "launch 0 has no kernel's name");
  check([](P p) { p.launches[0].grid[1] = 65536; },
        "launch 0 has a grid size of 65536");
  check([](P p) { p.launches[0].grid[0] = 0; },
        "launch 0 has a grid size of 0");
  check([](P p) { p.launches[0].block[2] = 65; },
        "launch 0 has a block size of 65");
  check([](P p) { p.launches[0].block = {64, 32, 1}; },
        "launch 0 has blocks of 2048 threads");
  check([](P p) { p.launches[0].sharedBytes = 1u << 31; },
        "launch 0 has 2147483648 bytes of shared memory");
  check([](P p) { p.launches[0].arguments[1].buffer = 3; },
        "launch 0 has buffer 3 of 3");
  check(
      [](P p) { p.launches[0].library.op = static_cast<LibraryCall::Op>(255); },
      "launch 0 has an unknown library call");
  check([](P p) { p.launches[0].arguments.pop_back(); },
        "launch 0 calls a library's matmul with 2 buffers, expected 3");
  check([](P p) { p.launches[0].library.m = 0; },
        "launch 0 calls a library's matmul with a size of 0");
  check([](P p) { p.launches[0].library.n = 1L << 31; },
        "launch 0 calls a library's matmul with a size of 2147483648");
  check([](P p) { p.launches[0].library.k = 5; },
        "launch 0 calls a library's matmul on a buffer of another size");
  check(
      [](P p) {
        p.launches[0].library.k = p.launches[0].library.batch = 0x7fffffff;
        p.launches[0].library.m = 0x7fffffff;
      },
      "launch 0 calls a library's matmul on a buffer of another size");
  const char *types =
      "launch 0 calls a library's matmul on element types that it doesn't have";
  check([](P p) { p.buffers[1].type = Type::BF16; }, types);
  check([](P p) { p.buffers[2].type = Type::BF16; }, types);
  check([](P p) { p.buffers[2].type = Type::F64; }, types);
}

// A kernel's tensor maps come behind the buffers that a library takes.
TEST(ProgramFormatTest, TensorMapsOfLibraryCalls) {
  Program program = getMatmul();
  Launch &launch = program.launches[0];
  launch.arguments.push_back(launch.arguments[0]);
  launch.arguments.back().map = {{24}, {8}, 0};
  EXPECT_EQ(verify(program), "");
  std::swap(launch.arguments[2], launch.arguments[3]);
  EXPECT_EQ(verify(program),
            "launch 0 calls a library with a buffer behind a tensor map");
}

TEST(ProgramFormatTest, TensorMaps) {
  EXPECT_EQ(verify(getTensorMaps()), "");
  auto check = [](auto change, const std::string &message) {
    Program program = getTensorMaps();
    change(program, *program.launches[0].arguments[0].map);
    EXPECT_EQ(verify(program), "launch 0 has a tensor map " + message);
    EXPECT_EQ(getMessage(encode(program)),
              "launch 0 has a tensor map " + message);
  };
  using P = Program &;
  using M = TensorMap &;
  check([](P p, M) { p.buffers[0].type = Type::F64; }, "of f64");
  check([](P, M m) { m.shape = m.box = {}; }, "of rank 0 with a box of rank 0");
  check([](P, M m) { m.shape = m.box = {1, 1, 1, 1, 12, 64}; },
        "of rank 6 with a box of rank 6");
  check([](P, M m) { m.box = {8}; }, "of rank 2 with a box of rank 1");
  check([](P, M m) { m.shape[0] = -12; }, "with a dimension of size -12");
  check([](P, M m) { m.shape[1] = 1L << 31; },
        "with a dimension of size 2147483648");
  check([](P, M m) { m.box[0] = 0; }, "with a box of size 0");
  check([](P, M m) { m.box[0] = 257; }, "with a box of size 257");
  check([](P, M m) { m.shape = {192, 4}; }, "with a stride of 8 bytes");
  check(
      [](P, M m) {
        m.shape = {2, 1L << 10, 1L << 30};
        m.box = {1, 1, 8};
      },
      "with a stride of 2199023255552 bytes");
  check(
      [](P p, M m) {
        p.buffers[0].type = Type::F32;
        m.shape = {(1L << 31) - 1, (1L << 31) - 4};
      },
      "of more bytes than can be counted");
  check([](P, M m) { m.shape[0] = 13; }, "of 1664 bytes of a buffer of 1536");
  check([](P, M m) { m.swizzleBytes = 16; }, "with a swizzle of 16 bytes");
  check([](P, M m) { m.box[1] = 4; }, "with a box with rows of 8 bytes");
  check([](P, M m) { m.box[1] = 64; }, "with a box with rows of 128 bytes");
}

} // namespace

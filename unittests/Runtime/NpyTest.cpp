//===- NpyTest.cpp - Reading and writing .npy files -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Array.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mirage;
using testing::HasSubstr;

namespace {

class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mirage", "npy", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  void write(const std::string &contents) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    ASSERT_FALSE(error);
    os << contents;
  }

  /// A file with this header and so many bytes of data.
  static std::string makeFile(const std::string &header, size_t bytes,
                              char version = 1) {
    std::string file = "\x93NUMPY";
    file += version;
    file += '\0';
    file += static_cast<char>(header.size());
    file += '\0';
    if (version > 1)
      file += std::string(2, '\0');
    return file + header + std::string(bytes, '\0');
  }

  std::string readError() {
    llvm::Expected<Array> array = readNpy(path);
    if (!array)
      return llvm::toString(array.takeError());
    return "";
  }

  llvm::SmallString<128> path;
};

TEST_F(NpyTest, RoundTrips) {
  for (ElementType type :
       {ElementType::F16, ElementType::F32, ElementType::F64})
    for (llvm::SmallVector<int64_t> shape :
         {llvm::SmallVector<int64_t>{}, {5}, {2, 3}, {2, 1, 7}, {0, 4}}) {
      Array array(shape, type);
      fillUniform(array, 1, 0);
      ASSERT_EQ(llvm::toString(writeNpy(path, array)), "");
      llvm::Expected<Array> read = readNpy(path);
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_EQ(read->shape, array.shape);
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->bytes, array.bytes);
    }
}

TEST_F(NpyTest, WritesBFloatAsF4) {
  Array array({3}, ElementType::BF16);
  fillUniform(array, 1, 0);
  ASSERT_EQ(llvm::toString(writeNpy(path, array)), "");
  llvm::Expected<Array> read = readNpy(path);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->type, ElementType::F32);
  EXPECT_EQ(read->convertTo(ElementType::BF16).bytes, array.bytes);
}

TEST_F(NpyTest, WritesAlignedDataAndAHeaderThatPythonReads) {
  ASSERT_EQ(llvm::toString(writeNpy(path, Array({2, 3}, ElementType::F16))),
            "");
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(((*file)->getBufferSize() - 12) % 64, 0u);
  EXPECT_THAT(
      (*file)->getBuffer().str(),
      HasSubstr("{'descr': '<f2', 'fortran_order': False, 'shape': (2,3,), }"));
  EXPECT_EQ((*file)->getBuffer()[(*file)->getBufferSize() - 13], '\n');
}

TEST_F(NpyTest, ReadsEveryVersion) {
  for (char version : {1, 2, 3}) {
    write(makeFile(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24,
        version));
    EXPECT_EQ(readError(), "") << int(version);
  }
  write(makeFile(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24, 4));
  EXPECT_THAT(readError(), HasSubstr("version 4 of the format"));
}

/// What two extents would make together is more than 64 bits hold.
TEST_F(NpyTest, ReadsEmptyArrays) {
  write(makeFile("{'descr': '<f8', 'fortran_order': False, 'shape': "
                 "(1099511627776, 1099511627776, 0), }\n",
                 0));
  llvm::Expected<Array> array = readNpy(path);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_EQ(array->getNumElements(), 0);
  EXPECT_EQ(array->bytes.size(), 0u);
}

TEST_F(NpyTest, RejectsWhatItCantRead) {
  EXPECT_THAT(llvm::toString(readNpy("/nonexistent/a.npy").takeError()),
              HasSubstr("/nonexistent/a.npy: No such file or directory"));
  write("");
  EXPECT_THAT(readError(), HasSubstr("not a .npy file"));
  write("PK\x03\x04 an archive");
  EXPECT_THAT(readError(), HasSubstr("not a .npy file"));
  write("\x93NUMPY");
  EXPECT_THAT(readError(), HasSubstr("truncated header"));
  write(
      makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8)
          .substr(0, 40));
  EXPECT_THAT(readError(), HasSubstr("truncated header"));
  write(makeFile("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }\n",
                 8));
  EXPECT_THAT(readError(), HasSubstr("Fortran order, expected C order"));
  write(makeFile("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n",
                 8));
  EXPECT_THAT(readError(),
              HasSubstr("element type '>f4', expected <f2, <f4 or <f8"));
  write(makeFile("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n",
                 16));
  EXPECT_THAT(readError(), HasSubstr("element type '<i8'"));
  write(makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
                 7));
  EXPECT_THAT(readError(),
              HasSubstr("expected 8 bytes of data for 2xf32, found 7"));
  write(makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
                 9));
  EXPECT_THAT(readError(),
              HasSubstr("expected 8 bytes of data for 2xf32, found 9"));
  write(makeFile("{'descr': '<f8', 'fortran_order': False, 'shape': "
                 "(1099511627776, 1099511627776), }\n",
                 0));
  EXPECT_THAT(readError(), HasSubstr("bytes of data"));
  for (const char *header :
       {"{'descr': '<f4', 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "{", "[]",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"}) {
    write(makeFile(header, 8));
    EXPECT_THAT(readError(), HasSubstr("malformed header")) << header;
  }
}

TEST_F(NpyTest, ReportsWhereItCantWrite) {
  EXPECT_THAT(llvm::toString(
                  writeNpy("/nonexistent/a.npy", Array({1}, ElementType::F32))),
              HasSubstr("/nonexistent/a.npy: No such file or directory"));
}

} // namespace

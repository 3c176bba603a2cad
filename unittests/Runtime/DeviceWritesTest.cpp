//===- DeviceWritesTest.cpp - Who has written device memory ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/DeviceWrites.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mirage;

namespace {

/// Two buffers, of which one ends within a cell.
struct DeviceWritesTest : testing::Test {
  void write(DeviceWrites &writes, size_t at, size_t bytes, char value) {
    writes.beginWrite(first + at, bytes);
    std::fill_n(first + at, bytes, value);
  }

  char first[16] = {}, second[7] = {};
  DeviceWrites::Buffer buffers[2] = {{first, 16}, {second, 7}};
};

TEST_F(DeviceWritesTest, NothingIsWrittenAtFirst) {
  DeviceWrites writes(buffers, 2);
  writes.startLaunch(2);
  auto found = writes.read(first + 4, 4, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, first + 4);
  EXPECT_FALSE(found->writer);
  write(writes, 0, 6, 1);
  EXPECT_FALSE(writes.read(first, 6, 0));
  found = writes.read(first, 8, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, first + 6);
  // The last cell of a buffer, and what is in none: an input.
  writes.beginWrite(second + 6, 1);
  EXPECT_FALSE(writes.read(second + 6, 1, 1));
  EXPECT_TRUE(writes.contains(second + 6));
  EXPECT_FALSE(writes.contains(second + 7));
  EXPECT_FALSE(writes.read(reinterpret_cast<char *>(this), 4, 1));
}

TEST_F(DeviceWritesTest, ClustersOfALaunchMustNotMeet) {
  DeviceWrites writes(buffers, 2);
  writes.startLaunch(3);
  write(writes, 0, 8, 1);
  // Nobody knows of one that hasn't ended.
  EXPECT_FALSE(writes.read(first, 8, 1));
  EXPECT_FALSE(writes.endWrite(first, 8, 0));
  EXPECT_FALSE(writes.read(first, 8, 0));
  auto found = writes.read(first + 2, 2, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->writer, 0u);
  // The same value, and another one.
  write(writes, 4, 4, 1);
  EXPECT_FALSE(writes.endWrite(first + 4, 4, 1));
  write(writes, 6, 4, 2);
  found = writes.endWrite(first + 6, 4, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, first + 6);
  EXPECT_EQ(found->writer, 1u);
}

TEST_F(DeviceWritesTest, LaunchesFollowEachOther) {
  DeviceWrites writes(buffers, 2);
  writes.startLaunch(2);
  write(writes, 0, 16, 1);
  EXPECT_FALSE(writes.endWrite(first, 16, 1));
  writes.startLaunch(2);
  EXPECT_FALSE(writes.read(first, 16, 0));
  write(writes, 0, 16, 2);
  EXPECT_FALSE(writes.endWrite(first, 16, 0));
  EXPECT_TRUE(writes.read(first, 16, 1));
}

TEST_F(DeviceWritesTest, EmptyBuffers) {
  const DeviceWrites::Buffer empty[] = {{first, 0}, {first, 4}};
  DeviceWrites writes(empty, 1);
  writes.startLaunch(1);
  writes.beginWrite(first + 1, 1);
  EXPECT_FALSE(writes.read(first + 1, 1, 0));
  EXPECT_FALSE(DeviceWrites({}, 2).contains(first));
}

} // namespace

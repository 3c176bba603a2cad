//===- OutputFileTest.cpp - Files that tools write ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mirage;
using llvm::toString;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = llvm::sys::fs;

namespace {

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("mirage-output", directory));
  }
  void TearDown() override { fs::remove_directories(directory); }

  std::string getPath(llvm::StringRef name) const {
    return (directory + "/" + name).str();
  }
  static std::string read(llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  static void write(llvm::StringRef path, llvm::StringRef contents) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    ASSERT_FALSE(error);
    os << contents;
  }
  size_t countFiles() const {
    std::error_code error;
    size_t count = 0;
    for (fs::directory_iterator i(directory, error), end; i != end && !error;
         i.increment(error))
      ++count;
    return count;
  }

  llvm::SmallString<128> directory;
};

TEST_F(OutputFileTest, IsNotWanted) {
  OutputFile file;
  EXPECT_EQ(toString(file.open("")), "");
  EXPECT_FALSE(file.isWanted());
}

TEST_F(OutputFileTest, KeepsWhatIsThereUntilAllIsWritten) {
  const std::string path = getPath("report.json");
  write(path, "earlier");
  ASSERT_FALSE(fs::setPermissions(path, fs::owner_read | fs::owner_write));
  {
    OutputFile file;
    ASSERT_EQ(toString(file.open(path)), "");
    EXPECT_EQ(read(path), "earlier");
  }
  EXPECT_EQ(read(path), "earlier");
  EXPECT_EQ(countFiles(), 1u);
  {
    OutputFile file;
    ASSERT_EQ(toString(file.open(path)), "");
    EXPECT_EQ(toString(file.write("new")), "");
  }
  EXPECT_EQ(read(path), "new");
  EXPECT_EQ(*fs::getPermissions(path), fs::owner_read | fs::owner_write);
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFileTest, IsMade) {
  OutputFile file;
  ASSERT_EQ(toString(file.open(getPath("ptx"))), "");
  EXPECT_FALSE(fs::exists(getPath("ptx")));
  EXPECT_EQ(toString(file.write("")), "");
  EXPECT_TRUE(fs::exists(getPath("ptx")));
  EXPECT_EQ(read(getPath("ptx")), "");
}

TEST_F(OutputFileTest, FollowsLinks) {
  write(getPath("target"), "earlier");
  ASSERT_FALSE(fs::create_link(getPath("target"), getPath("link")));
  OutputFile file;
  ASSERT_EQ(toString(file.open(getPath("link"))), "");
  ASSERT_EQ(toString(file.write("new")), "");
  EXPECT_TRUE(fs::is_symlink_file(getPath("link")));
  EXPECT_EQ(read(getPath("target")), "new");
}

TEST_F(OutputFileTest, WritesInPlace) {
  OutputFile file;
  ASSERT_EQ(toString(file.open("/dev/null")), "");
  EXPECT_EQ(toString(file.write("nothing")), "");
  EXPECT_TRUE(fs::exists("/dev/null"));
}

TEST_F(OutputFileTest, CannotBeWritten) {
  OutputFile file;
  EXPECT_THAT(toString(file.open(getPath("no/report.json"))),
              AllOf(HasSubstr("no/report.json"), HasSubstr("No such file")));
  EXPECT_THAT(toString(file.open(directory)), HasSubstr("Is a directory"));
  EXPECT_EQ(toString(file.open("/dev/full")),
            "/dev/full: No space left on device");
}

TEST_F(OutputFileTest, GivesWayToADirectory) {
  // Made since it was opened.
  OutputFile file;
  ASSERT_EQ(toString(file.open(getPath("report"))), "");
  ASSERT_FALSE(fs::create_directory(getPath("report")));
  EXPECT_THAT(toString(file.write("new")), HasSubstr("Is a directory"));
}

} // namespace

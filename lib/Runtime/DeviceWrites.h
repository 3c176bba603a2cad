//===- DeviceWrites.h - Who has written device memory -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing orders the clusters of a launch. So what one of them has written,
// another must neither read nor overwrite, but with the same value: tiles of a
// grid may overlap. That is found when a cluster ends, whichever ran first;
// what another one reads, when it does so after that.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_DEVICEWRITES_H
#define MIRAGE_LIB_RUNTIME_DEVICEWRITES_H

#include "llvm/ADT/ArrayRef.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mirage {

/// Of all buffers of a program but its inputs. Clusters that run at the same
/// time may ask.
class DeviceWrites {
public:
  struct Buffer {
    const char *begin;
    size_t bytes;
  };
  /// `granularity`: a power of two, at most 4, that divides the addresses and
  /// sizes of all accesses.
  DeviceWrites(llvm::ArrayRef<Buffer> buffers, size_t granularity);

  /// Whether an address is in one of the buffers.
  bool contains(const char *address) const { return find(address); }

  /// What has been written so far is there for all.
  void startLaunch(uint64_t numClusters);

  /// The first place where an access is not right.
  struct Found {
    const char *address;
    /// The cluster of this launch that has written there; none: nobody has.
    std::optional<uint64_t> writer;
  };
  size_t getGranularity() const { return granularity; }

  /// Whether a cluster may read what it finds there, but for what it has
  /// written itself meanwhile.
  std::optional<Found> read(const char *address, size_t bytes,
                            uint64_t cluster) const;
  /// A cluster is about to write.
  void beginWrite(const char *address, size_t bytes);
  /// A cluster has ended, and this is where it has written. Says where another
  /// one has written something else.
  std::optional<Found> endWrite(const char *address, size_t bytes,
                                uint64_t cluster);

private:
  /// Who wrote it, and what: 0, nobody; kBegun: somebody who hasn't ended;
  /// else the number of the cluster, of all that have run, above the value.
  using Cell = std::atomic<uint64_t>;
  static constexpr uint64_t kBegun = 1;
  struct Cells {
    Buffer buffer;
    std::unique_ptr<Cell[]> cells;
  };
  /// The buffer that has an address, or null.
  const Cells *find(const char *address) const;
  uint64_t makeCell(const char *address, uint64_t cluster) const;
  Cell &getCell(const Cells &cells, const char *address) const {
    return cells.cells[(address - cells.buffer.begin) / granularity];
  }

  const size_t granularity;
  /// By address.
  std::vector<Cells> all;
  /// The number of the launch's first cluster.
  uint64_t first = 1, next = 1;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_DEVICEWRITES_H

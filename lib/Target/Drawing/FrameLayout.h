//===- FrameLayout.h - The layered drawing of one frame ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_DRAWING_FRAMELAYOUT_H
#define MIRAGE_LIB_TARGET_DRAWING_FRAMELAYOUT_H

#include "Mirage/Target/NestedLayout.h"
#include <optional>
#include <utility>
#include <vector>

namespace mirage {

/// Lays out what stands directly in one frame, in coordinates of that frame.
class FrameLayout {
public:
  /// What takes a place in a layer.
  struct Item {
    enum class Kind {
      Box,     ///< a node or a frame
      InPort,  ///< where an edge enters the frame
      OutPort, ///< where one leaves it
      Lane     ///< where one passes a layer
    };
    Kind kind = Kind::Box;
    double width = 0, height = 0;
    double x = 0, y = 0;
    unsigned layer = 0;
    /// Of a port: where what it is connected with outside of the frame is, as
    /// far as that is known, right of the middle of the frame.
    std::optional<double> outside = std::nullopt;
  };
  /// A place at an item, `offset` right of its left side.
  struct Place {
    unsigned item;
    double offset;
  };

  FrameLayout(double headerWidth, double headerHeight)
      : headerWidth(headerWidth), headerHeight(headerHeight) {}

  unsigned addBox(double width, double height) {
    return addItem(Item::Kind::Box, width, height);
  }
  unsigned addPort(bool isIn, std::optional<double> outside) {
    unsigned port =
        addItem(isIn ? Item::Kind::InPort : Item::Kind::OutPort, 0, 0);
    items[port].outside = outside;
    return port;
  }
  /// All that leads from one place is one net, whose edges share a path as far
  /// as they can. Boxes are connected in their order: from earlier to later
  /// ones.
  unsigned addNet(Place from) {
    nets.push_back({from, {}, {}});
    return nets.size() - 1;
  }
  /// Returns the number of the end within the net.
  unsigned addEnd(unsigned net, Place to) {
    nets[net].ends.push_back(to);
    return nets[net].ends.size() - 1;
  }

  /// When everything has been added. Of orders with as few crossings, that with
  /// the shortest edges is taken, or that which readers want.
  void run(bool readersDecide);

  double getWidth() const { return width; }
  double getHeight() const { return height; }
  const Item &getItem(unsigned item) const { return items[item]; }
  /// How many edges cross each other, and how far they go sideways in all.
  std::pair<double, double> getBadness() const {
    return getBadness(/*outsideToo=*/false);
  }
  /// Where a net comes from, in the layer above the one of that end. Nothing if
  /// that is free to move, and so has to adapt to this end.
  std::optional<double> getOrigin(unsigned net, unsigned end) const;
  /// Where a net leads to in the layer below its start, on average; likewise.
  std::optional<double> getDestination(unsigned net) const;
  /// The way from a net's start to one of its ends.
  std::vector<LayoutPoint> getPath(unsigned net, unsigned end) const;

private:
  struct Net {
    Place from;
    std::vector<Place> ends;
    /// The lanes in the layers below that of `from`.
    std::vector<unsigned> lanes;
  };
  /// What connects two places in neighbouring layers.
  struct Link {
    Place upper, lower;
    double weight;
  };
  struct Layer {
    std::vector<unsigned> items;
    double top = 0, bottom = 0;
  };

  unsigned addItem(Item::Kind kind, double width, double height);
  void assignLayers();
  void splitWideLayers();
  void addLanes();
  void order(bool readersDecide);
  void place();
  void placeVertically();
  void placeHorizontally();
  /// What the links above or below an item want its x to be.
  bool getWish(unsigned item, bool above, bool below, double &wish,
               double &weight) const;
  void sweep(unsigned layer, bool above, bool below, bool reorder);
  std::pair<double, double> getBadness(bool outsideToo) const;
  double getX(Place place) const { return items[place.item].x + place.offset; }

  double headerWidth, headerHeight;
  double width = 0, height = 0;
  std::vector<Item> items;
  std::vector<Net> nets;
  std::vector<Layer> layers;
  std::vector<Link> links;
  /// Of each item, those above and below.
  std::vector<std::vector<unsigned>> linksAbove, linksBelow;
};

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_DRAWING_FRAMELAYOUT_H

//===- FrameLayout.cpp - The layered drawing of one frame -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameLayout.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mirage;

namespace {

constexpr double kPadding = 14;
/// Between boxes, and beside a lane or port.
constexpr double kBoxDistance = 20, kLaneDistance = 14;
/// Between layers: at least, at most, and for each unit that an edge has to go
/// sideways.
constexpr double kLeastGap = 24, kLargestGap = 64, kGapSlope = 0.07;
constexpr unsigned kOrderRounds = 12, kPlaceRounds = 12;
/// Long edges are to be straight.
constexpr double kLaneWeight = 6;
constexpr double kLooseWeight = 0.1;

} // namespace

unsigned FrameLayout::addItem(Item::Kind kind, double itemWidth,
                              double itemHeight) {
  Item item;
  item.kind = kind;
  item.width = itemWidth;
  item.height = itemHeight;
  items.push_back(item);
  return items.size() - 1;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Ports at the borders; boxes as high as they can be, except that those that
/// read nothing computed here stand just above their first reader.
void FrameLayout::assignLayers() {
  std::vector<std::vector<unsigned>> above(items.size()), below(items.size());
  for (const Net &net : nets)
    for (Place end : net.ends) {
      above[end.item].push_back(net.from.item);
      below[net.from.item].push_back(end.item);
    }
  unsigned last = 0;
  for (unsigned i = 0; i < items.size(); ++i) {
    if (items[i].kind != Item::Kind::Box)
      continue;
    items[i].layer = 1;
    for (unsigned other : above[i])
      items[i].layer = std::max(items[i].layer, items[other].layer + 1);
    last = std::max(last, items[i].layer);
  }
  for (Item &item : items)
    if (item.kind == Item::Kind::OutPort)
      item.layer = last + 1;
  for (unsigned i = items.size(); i-- > 0;) {
    bool isFree = items[i].kind == Item::Kind::Box && !below[i].empty();
    for (unsigned other : above[i])
      isFree &= items[other].kind == Item::Kind::InPort;
    if (!isFree)
      continue;
    unsigned least = last + 1;
    for (unsigned other : below[i])
      least = std::min(least, items[other].layer);
    items[i].layer = least - 1;
  }
  layers.resize(last + 2);
}

/// What is free to stand in any layer above its readers, beside a frame, makes
/// the frame around both wide. Where that is the widest place, it gets a layer
/// of its own.
void FrameLayout::splitWideLayers() {
  std::vector<bool> isFree(items.size(), true), isRead(items.size(), false);
  for (const Net &net : nets)
    for (Place end : net.ends) {
      isRead[net.from.item] = true;
      isFree[end.item] =
          isFree[end.item] && items[net.from.item].kind == Item::Kind::InPort;
    }
  std::vector<double> widths(layers.size(), 0), tallest(layers.size(), 0);
  for (const Item &item : items) {
    if (item.kind != Item::Kind::Box)
      continue;
    widths[item.layer] += item.width + kBoxDistance;
    tallest[item.layer] = std::max(tallest[item.layer], item.height);
  }
  unsigned widest =
      std::max_element(widths.begin(), widths.end()) - widths.begin();
  std::vector<unsigned> moving;
  for (unsigned i = 0; i < items.size(); ++i)
    // A layer costs height: only beside what is much taller.
    if (items[i].kind == Item::Kind::Box && items[i].layer == widest &&
        isFree[i] && isRead[i] && 2 * items[i].height <= tallest[widest])
      moving.push_back(i);
  if (moving.empty())
    return;
  for (Item &item : items)
    if (item.layer > widest)
      ++item.layer;
  for (unsigned i : moving)
    ++items[i].layer;
  layers.emplace_back();
}

void FrameLayout::addLanes() {
  for (Net &net : nets) {
    unsigned first = items[net.from.item].layer, last = first;
    for (Place end : net.ends)
      last = std::max(last, items[end.item].layer);
    for (unsigned layer = first + 1; layer < last; ++layer) {
      unsigned lane = addItem(Item::Kind::Lane, 0, 0);
      items[lane].layer = layer;
      net.lanes.push_back(lane);
    }
    // The place that a net has in the layer above another.
    auto getPlaceAbove = [&](unsigned layer) {
      return layer == first + 1 ? net.from
                                : Place{net.lanes[layer - first - 2], 0};
    };
    for (unsigned lane : net.lanes) {
      unsigned layer = items[lane].layer;
      links.push_back({getPlaceAbove(layer),
                       {lane, 0},
                       layer == first + 1 ? 1 : kLaneWeight});
    }
    for (Place end : net.ends)
      links.push_back({getPlaceAbove(items[end.item].layer), end, 1});
  }
  linksAbove.resize(items.size());
  linksBelow.resize(items.size());
  for (unsigned i = 0; i < links.size(); ++i) {
    linksBelow[links[i].upper.item].push_back(i);
    linksAbove[links[i].lower.item].push_back(i);
  }
  // What nothing leads to adapts to its readers, and they don't to it.
  for (Link &link : links)
    if (items[link.upper.item].kind == Item::Kind::Box &&
        linksAbove[link.upper.item].empty())
      link.weight = kLooseWeight;
  for (unsigned i = 0; i < items.size(); ++i)
    layers[items[i].layer].items.push_back(i);
}

//===----------------------------------------------------------------------===//
// Order and places in a layer
//===----------------------------------------------------------------------===//

bool FrameLayout::getWish(unsigned item, bool above, bool below, double &wish,
                          double &weight) const {
  double sum = 0;
  weight = 0;
  if (above)
    for (unsigned i : linksAbove[item]) {
      sum += links[i].weight * (getX(links[i].upper) - links[i].lower.offset);
      weight += links[i].weight;
    }
  if (below)
    for (unsigned i : linksBelow[item]) {
      sum += links[i].weight * (getX(links[i].lower) - links[i].upper.offset);
      weight += links[i].weight;
    }
  const Item &here = items[item];
  if (here.outside && (here.kind == Item::Kind::InPort ? above : below)) {
    sum += *here.outside;
    weight += 1;
  }
  if (weight == 0)
    return false;
  wish = sum / weight;
  return true;
}

/// Moves the items of a layer as close to where their links want them as their
/// order and sizes allow: least squares under order constraints, by pooling
/// adjacent violators.
void FrameLayout::sweep(unsigned layerIndex, bool above, bool below,
                        bool reorder) {
  std::vector<unsigned> &members = layers[layerIndex].items;
  struct Member {
    unsigned item;
    double wish, weight;
    size_t place;
  };
  std::vector<Member> row;
  for (unsigned item : members) {
    // What has no links on that side stays where it is, unless it is pushed.
    Member member{item, items[item].x, 0.01, row.size()};
    double wish, weight;
    if (getWish(item, above, below, wish, weight)) {
      member.wish = wish;
      member.weight = weight;
    }
    row.push_back(member);
  }
  if (reorder) {
    // By the middle, and stable.
    auto getKey = [&](const Member &member) {
      return std::pair(member.wish + items[member.item].width / 2,
                       member.place);
    };
    std::sort(row.begin(), row.end(), [&](const Member &a, const Member &b) {
      return getKey(a) < getKey(b);
    });
    for (unsigned i = 0; i < row.size(); ++i)
      members[i] = row[i].item;
  }
  // With the least distances subtracted, x must not decrease.
  std::vector<double> offsets;
  double offset = 0;
  for (unsigned i = 0; i < row.size(); ++i) {
    if (i > 0) {
      const Item &left = items[row[i - 1].item], &right = items[row[i].item];
      bool areBoxes =
          left.kind == Item::Kind::Box && right.kind == Item::Kind::Box;
      offset += left.width + (areBoxes ? kBoxDistance : kLaneDistance);
    }
    offsets.push_back(offset);
  }
  struct Pool {
    double sum, weight;
    unsigned count;
    double getMean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  for (unsigned i = 0; i < row.size(); ++i) {
    pools.push_back(
        {(row[i].wish - offsets[i]) * row[i].weight, row[i].weight, 1});
    while (pools.size() > 1 &&
           pools[pools.size() - 2].getMean() > pools.back().getMean()) {
      Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  unsigned next = 0;
  for (const Pool &pool : pools)
    for (unsigned i = 0; i < pool.count; ++i, ++next)
      items[row[next].item].x = pool.getMean() + offsets[next];
}

/// Counts the pairs i < j with values[i] > values[j]; sorts the values on the
/// way, by merging.
static double countInversions(std::vector<double> &values, unsigned begin,
                              unsigned end) {
  if (end - begin < 2)
    return 0;
  unsigned middle = (begin + end) / 2;
  double count = countInversions(values, begin, middle) +
                 countInversions(values, middle, end);
  std::vector<double> merged;
  unsigned left = begin, right = middle;
  while (left < middle || right < end)
    if (right == end || (left < middle && values[left] <= values[right])) {
      merged.push_back(values[left++]);
    } else {
      merged.push_back(values[right++]);
      count += middle - left;
    }
  std::copy(merged.begin(), merged.end(), values.begin() + begin);
  return count;
}

std::pair<double, double> FrameLayout::getBadness(bool outsideToo) const {
  double crossings = 0, distance = 0;
  using Ends = std::vector<std::pair<double, double>>;
  auto count = [&](Ends &ends) {
    std::sort(ends.begin(), ends.end());
    std::vector<double> lower;
    for (auto [from, to] : ends) {
      lower.push_back(to);
      distance += std::abs(from - to);
    }
    crossings += countInversions(lower, 0, lower.size());
  };
  for (const Layer &layer : layers) {
    Ends ends;
    for (unsigned item : layer.items)
      for (unsigned i : linksBelow[item])
        ends.push_back({getX(links[i].upper), getX(links[i].lower)});
    count(ends);
  }
  if (outsideToo)
    for (Item::Kind kind : {Item::Kind::InPort, Item::Kind::OutPort}) {
      Ends ends;
      for (const Item &item : items)
        if (item.kind == kind && item.outside)
          ends.push_back({item.x, *item.outside});
      count(ends);
    }
  return {crossings, distance};
}

void FrameLayout::order(bool readersDecide) {
  // Where a layer is wider than what it hangs on, the order of the graph
  // counts.
  for (const Layer &layer : layers) {
    double x = 0;
    for (unsigned item : layer.items) {
      items[item].x = x;
      x += items[item].width + kBoxDistance;
    }
    for (unsigned item : layer.items)
      items[item].x -= x / 2;
  }
  std::vector<Layer> best = layers;
  std::vector<Item> bestItems = items;
  std::pair<double, double> least(std::numeric_limits<double>::infinity(), 0);
  for (unsigned round = 0; round < kOrderRounds; ++round) {
    bool isDown = round % 2 == 0;
    for (unsigned i = 0; i < layers.size(); ++i)
      sweep(isDown ? i : layers.size() - 1 - i, isDown, !isDown,
            /*reorder=*/true);
    std::pair<double, double> badness = getBadness(/*outsideToo=*/true);
    if (readersDecide && !isDown ? badness.first <= least.first
                                 : badness < least) {
      least = badness;
      best = layers;
      bestItems = items;
    }
  }
  layers = std::move(best);
  items = std::move(bestItems);
}

void FrameLayout::placeHorizontally() {
  for (unsigned round = 0; round < kPlaceRounds; ++round)
    for (unsigned i = 0; i < layers.size(); ++i)
      sweep(round % 2 == 0 ? i : layers.size() - 1 - i, true, true,
            /*reorder=*/false);
  double left = std::numeric_limits<double>::infinity(), right = -left;
  for (const Item &item : items) {
    left = std::min(left, item.x);
    right = std::max(right, item.x + item.width);
  }
  if (items.empty())
    left = right = 0;
  width = std::max(right - left, headerWidth) + 2 * kPadding;
  double shift = (width - (right - left)) / 2 - left;
  for (Item &item : items)
    item.x += shift;
}

void FrameLayout::placeVertically() {
  // How far the edges between a layer and the one above go sideways.
  std::vector<double> sideways(layers.size(), -1);
  for (const Link &link : links) {
    double &most = sideways[items[link.lower.item].layer];
    most = std::max(most, std::abs(getX(link.upper) - getX(link.lower)));
  }
  layers[0].bottom = headerHeight;
  for (unsigned i = 1; i < layers.size(); ++i) {
    double gap =
        sideways[i] < 0
            ? kPadding
            : std::min(kLargestGap, kLeastGap + kGapSlope * sideways[i]);
    layers[i].top = layers[i - 1].bottom + gap;
    double tallest = 0;
    for (unsigned item : layers[i].items)
      tallest = std::max(tallest, items[item].height);
    layers[i].bottom = layers[i].top + tallest;
    for (unsigned item : layers[i].items)
      items[item].y = linksAbove[item].empty()
                          ? layers[i].bottom - items[item].height
                          : layers[i].top;
  }
  height = layers.back().bottom;
}

void FrameLayout::run(bool readersDecide) {
  assignLayers();
  splitWideLayers();
  addLanes();
  order(readersDecide);
  placeHorizontally();
  placeVertically();
}

std::vector<LayoutPoint> FrameLayout::getPath(unsigned netIndex,
                                              unsigned end) const {
  const Net &net = nets[netIndex];
  const Item &from = items[net.from.item];
  Place place = net.ends[end];
  const Item &to = items[place.item];
  std::vector<LayoutPoint> path;
  bool isBox = from.kind == Item::Kind::Box;
  path.push_back({getX(net.from), isBox ? from.y + from.height : 0});
  path.push_back({getX(net.from), layers[from.layer].bottom});
  for (unsigned layer = from.layer + 1; layer < to.layer; ++layer) {
    double x = items[net.lanes[layer - from.layer - 1]].x;
    path.push_back({x, layers[layer].top});
    path.push_back({x, layers[layer].bottom});
  }
  path.push_back({getX(place), layers[to.layer].top});
  path.push_back({getX(place), to.kind == Item::Kind::Box ? to.y : height});
  return path;
}

std::optional<double> FrameLayout::getOrigin(unsigned netIndex,
                                             unsigned end) const {
  const Net &net = nets[netIndex];
  unsigned item = net.from.item;
  if (items[item].kind == Item::Kind::InPort ? !items[item].outside
                                             : linksAbove[item].empty())
    return std::nullopt;
  unsigned distance =
      items[net.ends[end].item].layer - items[net.from.item].layer;
  return distance == 1 ? getX(net.from) : items[net.lanes[distance - 2]].x;
}

std::optional<double> FrameLayout::getDestination(unsigned netIndex) const {
  const Net &net = nets[netIndex];
  double sum = 0;
  unsigned count = 0;
  for (Place end : net.ends) {
    const Item &item = items[end.item];
    // A box that nothing else leads to follows this net.
    bool isFree =
        item.kind == Item::Kind::Box
            ? linksAbove[end.item].size() == 1 && linksBelow[end.item].empty()
            : !item.outside;
    if (isFree)
      continue;
    bool isNext = item.layer == items[net.from.item].layer + 1;
    sum += isNext ? getX(end) : items[net.lanes.front()].x;
    ++count;
  }
  if (count == 0)
    return std::nullopt;
  return sum / count;
}

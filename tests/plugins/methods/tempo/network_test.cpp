// The networks against plain loops, numerical gradients and what must not matter.

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/grad_mode.h>

#include <cmath>

#include "compact_pass.hpp"
#include "layers.hpp"
#include "plain_network.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using namespace amortised;

Samples random_samples(std::size_t S, std::size_t J, std::size_t B, std::uint64_t seed = 3) {
  auto draw = stream(seed);
  Samples out;
  out.S = S;
  out.J = J;
  out.B = B;
  for (std::size_t i = 0; i < S * J * B; ++i) out.x.push_back(static_cast<float>(draw.normal()));
  for (std::size_t i = 0; i < S * J; ++i) {
    out.diseased.push_back(i % 3 == 0 ? 0.0F : 1.0F);
    out.stages.push_back(i % 3 == 0 ? 0.0F : static_cast<float>(draw.index(B + 1)));
  }
  for (std::size_t s = 0; s < S; ++s) {
    const auto order = draw.permutation(B);
    for (const auto rank : order) {
      out.target.push_back(static_cast<float>(rank) / static_cast<float>(B - 1));
      out.xi.push_back(static_cast<float>(rank + 1) / static_cast<float>(B));
    }
    out.continuous.push_back(s % 2 == 0 ? 0.0F : 1.0F);
    out.pairs.insert(out.pairs.end(), {0, static_cast<std::int64_t>(B - 1)});
  }
  return out;
}

torch::Tensor flat(const Model& model, torch::Dtype type = torch::kFloat) {
  return torch::from_blob(const_cast<float*>(model.weights.data()),
                          {static_cast<std::int64_t>(model.weights.size())})
      .clone()
      .to(type);
}

Outputs outputs(const Model& model, const Samples& samples) {
  const torch::NoGradGuard no_gradient;
  const auto network = make_network(model.preset, model.columns);
  Dropout none;
  return network->forward(views(network->layout(), flat(model), false),
                          inputs_of(samples, torch::kCPU), none);
}

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

TEST_CASE("the paper's network equals plain loops over the tensors of its file", "[tempo][paper]") {
  const std::size_t J = 9, B = 5;
  const TemporaryFolder folder;
  const auto model = untrained(Preset::paper, B);
  write_model(model, folder.path() / "model");
  const auto samples = random_samples(1, J, B);
  Matrix x(J, B);
  for (std::size_t i = 0; i < J * B; ++i) x.values()[i] = static_cast<double>(samples.x[i]);
  const auto plain = plain_paper_network(read_safetensors(folder.path() / "model"), x,
                                         {samples.diseased.begin(), samples.diseased.end()});
  const auto found = outputs(read_model(folder.path() / "model"), samples);
  for (std::size_t b = 0; b < B; ++b)
    REQUIRE(std::abs(found.scores[0][static_cast<std::int64_t>(b)].item<double>() -
                     plain.scores[b]) < 1e-5);
  for (std::size_t j = 0; j < J; ++j)
    REQUIRE(std::abs(found.stages[0][static_cast<std::int64_t>(j)].item<double>() -
                     plain.stages[j]) < 1e-5);
}

TEST_CASE("the paper's network has the published sizes", "[tempo][paper]") {
  // Per encoder layer of width d: attention 4 d^2 + 4 d, feed-forward 2 * 1024 d + 1024 + d, norms
  // 4 d.
  const auto layer = [](std::size_t d) { return 4 * d * d + 9 * d + 2 * 1024 * d + 1024; };
  const std::size_t B = 12, D = 256;
  const std::size_t sequencing =
      3 * D + 2 * D + D * D + D + 2 * D + B * D + 4 * layer(D) + D * D / 2 + D / 2 + D / 2 + 1;
  const std::size_t staging = 4 * D + D * D + D + D + 1 + B * 2 * D + 2 * D + 4 * D +
                              2 * layer(2 * D) + 2 * D * 128 + 128 + 256 + 128 + 1;
  REQUIRE(value_count(make_network(Preset::paper, columns(B))->layout()) == sequencing + staging);
}

TEST_CASE("the compact network is smaller for many biomarkers", "[tempo][compact]") {
  const auto sizes = [](std::size_t B) {
    return make_network(Preset::compact, columns(B))->sizes();
  };
  REQUIRE(sizes(49).at("channels") == 8);
  REQUIRE(sizes(49).at("stages") == 50);
  REQUIRE_FALSE(sizes(49).contains("slots"));  // as many
  REQUIRE(sizes(50).at("channels") == 4);
  REQUIRE(sizes(50).at("slots") == 18);
  REQUIRE(sizes(100).at("slots") == 34);
  const auto found = outputs(untrained(Preset::compact, 50), random_samples(1, 7, 50));
  REQUIRE(found.scores.sizes() == at::IntArrayRef{1, 50});
  REQUIRE(found.stage_posterior.sizes() == at::IntArrayRef{1, 7, 51});
}

TEST_CASE("initial weights have the spread that PyTorch gives them", "[tempo]") {
  const auto network = make_network(Preset::paper, columns(12));
  const auto values = initial_values(network->layout(), stream(1));
  const auto weights = views(network->layout(),
                             torch::from_blob(const_cast<float*>(values.data()),
                                              {static_cast<std::int64_t>(values.size())}),
                             false);
  const auto sd = [&](const char* name) { return weights[name].std().item<double>(); };
  // Uniform on +-a has sd a/sqrt(3); 65,536 draws and more: the sd is known within half a per cent.
  REQUIRE(sd("sequencing.cell.3.weight") == Approx(1.0 / 16.0 / std::sqrt(3.0)).epsilon(0.01));
  REQUIRE(sd("staging.encoder.layers.0.self_attn.in_proj_weight") ==
          Approx(std::sqrt(6.0 / (4 * 512)) / std::sqrt(3.0)).epsilon(0.01));
  REQUIRE(sd("sequencing.position") == Approx(0.02).epsilon(0.05));  // 3,072 draws
  REQUIRE(weights["staging.patient.1.weight"].eq(1.0).all().item<bool>());
}

TEST_CASE("samples of a batch do not see each other", "[tempo]") {
  const auto preset = GENERATE(Preset::paper, Preset::compact);
  const auto model = untrained(preset, 4);
  const auto both = random_samples(2, 7, 4);
  auto second = random_samples(2, 7, 4);
  second.S = 1;
  second.x.erase(second.x.begin(), second.x.begin() + 28);
  second.diseased.erase(second.diseased.begin(), second.diseased.begin() + 7);
  const auto together = outputs(model, both), alone = outputs(model, second);
  REQUIRE(largest_difference(together.scores[1], alone.scores[0]) < 1e-6);
  REQUIRE(largest_difference(together.stages[1], alone.stages[0]) < 1e-5);
}

TEST_CASE("the order of participants does not matter", "[tempo]") {
  const auto preset = GENERATE(Preset::paper, Preset::compact);
  const auto model = untrained(preset, 4);
  const auto samples = random_samples(1, 6, 4);
  auto reversed = samples;
  for (std::size_t j = 0; j < 6; ++j) {
    std::copy_n(samples.x.begin() + static_cast<std::ptrdiff_t>(4 * (5 - j)), 4,
                reversed.x.begin() + static_cast<std::ptrdiff_t>(4 * j));
    reversed.diseased[j] = samples.diseased[5 - j];
  }
  const auto one = outputs(model, samples), other = outputs(model, reversed);
  REQUIRE(largest_difference(one.scores, other.scores) < 1e-6);
  REQUIRE(largest_difference(one.stages, other.stages.flip({1})) < 1e-5);
}

TEST_CASE("gradients of the loss agree with differences, for every weight", "[tempo]") {
  const auto preset = GENERATE(Preset::paper, Preset::compact);
  const std::size_t B = 3;
  const auto network = make_network(preset, columns(B));
  const auto samples = random_samples(2, 5, B);
  const auto values = flat(untrained(preset, B), torch::kDouble);
  auto in = inputs_of(samples, torch::kCPU, torch::kDouble);
  auto targets = targets_of(samples, torch::kCPU);
  for (auto* tensor : {&targets.target, &targets.xi, &targets.stages, &targets.continuous})
    *tensor = tensor->to(torch::kDouble);
  const auto loss = [&](const Weights& w) {
    Dropout dropout(network->dropout_rate(), stream(7));  // the same masks every time
    return network->loss(w, network->forward(w, in, dropout), in, targets);
  };
  const auto leaves = views(network->layout(), values, true);
  const auto gradient = torch::autograd::grad({loss(leaves)}, leaves.all(), {}, {}, false, true);

  // Along one random direction per part of the network: a wrong entry anywhere in it shows.
  const auto part_of = [&](std::size_t i) {
    const auto& name = network->layout()[i].name;
    return name.substr(0, name.find('.', name.find('.') + 1));
  };
  std::map<std::string, std::vector<std::size_t>> parts;
  for (std::size_t i = 0; i < leaves.all().size(); ++i)
    if (gradient[i].defined()) parts[part_of(i)].push_back(i);
  REQUIRE(parts.size() > 4);
  const torch::NoGradGuard no_gradient;
  auto draw = stream(5);
  for (const auto& [name, members] : parts) {
    CAPTURE(name);
    double found = 0.0;
    std::map<std::size_t, torch::Tensor> directions;
    for (const auto i : members) {
      auto direction = at::zeros_like(gradient[i]);
      draw.normals({direction.data_ptr<double>(), static_cast<std::size_t>(direction.numel())});
      directions[i] = direction / direction.norm();
      found += (gradient[i] * directions[i]).sum().item<double>();
    }
    const double step = 1e-6;
    const auto shifted = [&](double by) {
      auto tensors = leaves.all();
      for (const auto i : members) tensors[i] = tensors[i].detach() + by * directions[i];
      return loss(Weights(network->layout(), tensors)).item<double>();
    };
    const double expected = (shifted(step) - shifted(-step)) / (2.0 * step);
    REQUIRE(std::abs(found - expected) < 1e-7 + 1e-5 * std::abs(expected));
  }
}

namespace {

/// Weights that are far from the initial ones, which have zeros among them.
std::vector<double> any_weights(const Layout& layout) {
  std::vector<double> values;
  for (const auto value : initial_values(layout, stream(1)))
    values.push_back(static_cast<double>(value));
  auto draw = stream(4);
  for (auto& value : values) value += 0.1 * draw.normal();
  return values;
}

/// Of LibTorch's operations, in double precision.
struct Composed {
  double loss = 0.0;
  std::vector<torch::Tensor> gradient;  // as the layout
  torch::Tensor scores, score_sds, stage_posterior;
};

Composed composed(const Network& network, std::vector<double> values, const Samples& samples) {
  const auto weights = views(
      network.layout(),
      torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, torch::kDouble),
      true);
  const auto in = inputs_of(samples, torch::kCPU, torch::kDouble);
  auto targets = targets_of(samples, torch::kCPU);
  for (auto* tensor : {&targets.target, &targets.xi, &targets.stages, &targets.continuous})
    *tensor = tensor->to(torch::kDouble);
  Dropout none;
  const auto out = network.forward(weights, in, none);
  const auto loss = network.loss(weights, out, in, targets);
  auto parts = torch::autograd::grad({loss}, weights.all(), {}, {}, false, true);
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = (parts[i].defined() ? parts[i] : at::zeros_like(weights.all()[i])).reshape({-1});
  return {loss.item<double>(), parts, out.scores.detach().reshape({-1}),
          out.score_sds.detach().reshape({-1}), out.stage_posterior.detach().reshape({-1})};
}

template <class Real>
torch::Tensor tensor_of(const std::vector<Real>& values) {
  return torch::tensor(at::ArrayRef<Real>(values)).to(torch::kDouble);
}

/// The farthest that a tensor of the gradient is off, in shares of its norm and the whole's:
/// rounding in a part of little weight is of the size of what it is computed from.
template <class Real>
double farthest(const Layout& layout, const std::vector<Real>& found,
                const std::vector<torch::Tensor>& expected) {
  const torch::Tensor all = tensor_of(found);
  const double whole = at::cat(expected).norm().item<double>();
  double out = 0.0;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const auto count = expected[i].numel();
    const torch::Tensor difference = all.narrow(0, first, count) - expected[i];
    const double off = difference.norm().item<double>();
    const double size = expected[i].norm().item<double>() + 1e-4 * whole;
    if (off / size > out) {
      out = off / size;
      UNSCOPED_INFO(layout[i].name << " is off by " << off << " of " << size);
    }
    first += count;
  }
  return out;
}

/// Values at and beyond every special place of a table, of a healthy and of a diseased participant.
Samples special_samples(std::size_t S, std::size_t J, std::size_t B) {
  auto out = random_samples(S, J, B);
  const auto where = columns(B);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t j = 0; j < std::min<std::size_t>(J, 8); ++j) {
      auto& x = out.x[j * B + b];
      const auto atom = where.atoms[b * kAtoms + j / 2 % kAtoms];
      if (j % 2 == 1 && atom != kNoAtom) x = atom;
      if (j == 4) x = 9.0F;
      if (j == 6) x = -9.0F;
      if (j == 2) x = where.knots[b * kKnots + 7];
    }
  return out;
}

void require_same(const Samples& samples) {
  const auto network = make_network(Preset::compact, columns(samples.B));
  const auto& shape = *network->by_hand();
  const auto weights = any_weights(network->layout());
  const auto expected = composed(*network, weights, samples);

  std::vector<double> gradient(weights.size(), 0.0);
  REQUIRE(compact_loss(shape, weights.data(), samples, 0.5, gradient.data()) ==
          Approx(0.5 * expected.loss).epsilon(1e-10));
  for (auto& value : gradient) value *= 2.0;
  REQUIRE(farthest(network->layout(), gradient, expected.gradient) < 1e-7);
  const auto same = [&](const CompactFound& found, double off) {
    REQUIRE(found.loss == Approx(expected.loss).epsilon(off));
    REQUIRE(largest_difference(tensor_of(found.scores), expected.scores) < off);
    REQUIRE(largest_difference(tensor_of(found.score_sds), expected.score_sds) < off);
    REQUIRE(largest_difference(tensor_of(found.stage_posterior), expected.stage_posterior) < off);
  };
  same(compact_answers(shape, weights.data(), samples), 1e-6);

  const std::vector<float> single(weights.begin(), weights.end());
  std::vector<float> single_gradient(weights.size(), 0.0F);
  REQUIRE(compact_loss(shape, single.data(), samples, 1.0, single_gradient.data()) ==
          Approx(expected.loss).epsilon(1e-4));
  REQUIRE(farthest(network->layout(), single_gradient, expected.gradient) < 2e-2);
  same(compact_answers(shape, single.data(), samples), 1e-3);
}

}  // namespace

TEST_CASE("the pass written by hand finds what LibTorch's operations find", "[tempo][compact]") {
  // One to nine samples: full vectors, parts of them, more than one. Many biomarkers have four
  // channels.
  const auto [S, J, B] = GENERATE(std::tuple(1, 5, 3), std::tuple(3, 40, 12), std::tuple(8, 33, 4),
                                  std::tuple(9, 20, 2), std::tuple(2, 9, 51), std::tuple(2, 1, 3));
  CAPTURE(S, J, B);
  require_same(special_samples(static_cast<std::size_t>(S), static_cast<std::size_t>(J),
                               static_cast<std::size_t>(B)));
}

TEST_CASE("it does so for cohorts without a group, and for events at the same time",
          "[tempo][compact]") {
  auto samples = special_samples(3, 12, 4);
  SECTION("nobody is diseased in one of several") {
    std::fill_n(samples.diseased.begin() + 12, 12, 0.0F);
    std::fill_n(samples.stages.begin() + 12, 12, 0.0F);
    require_same(samples);
  }
  SECTION("nobody is diseased at all") {
    std::ranges::fill(samples.diseased, 0.0F);
    std::ranges::fill(samples.stages, 0.0F);
    require_same(samples);
  }
  SECTION("nobody is healthy in one of several") {
    std::fill_n(samples.diseased.begin() + 12, 12, 1.0F);
    require_same(samples);
  }
  SECTION("two events are at the same time") {
    samples.xi[1] = samples.xi[0];
    require_same(samples);
  }
}

TEST_CASE("dropout keeps nine of ten, scaled, the same for the same stream", "[tempo]") {
  const auto ones = at::ones({200, 500});
  const auto first = Dropout(0.1, stream(1))(ones), again = Dropout(0.1, stream(1))(ones);
  REQUIRE(first.equal(again));
  REQUIRE_FALSE(first.equal(Dropout(0.1, stream(2))(ones)));
  const double dropped = first.eq(0).sum().item<double>() / 1e5;
  REQUIRE(std::abs(dropped - 0.1) <
          4 * std::sqrt(0.1 * 0.9 / 1e5));  // fails by chance: 1 in 16,000
  REQUIRE(first.max().item<float>() == Approx(1.0 / 0.9));
  REQUIRE(Dropout()(ones).equal(ones));
}

}  // namespace tempo::test

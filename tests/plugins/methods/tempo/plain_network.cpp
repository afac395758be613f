#include "plain_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tempo::test {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

class Reader {
 public:
  explicit Reader(const amortised::TensorFile& file) : file_(file) {}

  const std::vector<float>& values(const std::string& name) const {
    return file_.floats.at(name).values;
  }
  /// y_o = bias_o + sum over i of weight_oi x_i
  Vector linear(const std::string& weight, const std::string& bias, const Vector& x) const {
    const auto& w = values(weight);
    const auto& b = values(bias);
    Vector y(b.begin(), b.end());
    for (std::size_t o = 0; o < y.size(); ++o)
      for (std::size_t i = 0; i < x.size(); ++i)
        y[o] += static_cast<double>(w[o * x.size() + i]) * x[i];
    return y;
  }
  Vector linear(const std::string& name, const Vector& x) const {
    return linear(name + ".weight", name + ".bias", x);
  }
  Vector norm(const std::string& name, const Vector& x) const {
    const auto n = static_cast<double>(x.size());
    double mean = 0.0, variance = 0.0;
    for (const auto v : x) mean += v / n;
    for (const auto v : x) variance += (v - mean) * (v - mean) / n;
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) *
                 static_cast<double>(values(name + ".weight")[i]) +
             static_cast<double>(values(name + ".bias")[i]);
    return y;
  }

 private:
  const amortised::TensorFile& file_;
};

Vector relu(Vector x) {
  for (auto& v : x) v = std::max(v, 0.0);
  return x;
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

Vector sum(Vector x, const Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  return x;
}

/// Eight heads; every token attends to every token.
Rows attention(const Reader& read, const std::string& name, const Rows& tokens) {
  constexpr std::size_t kHeads = 8;
  const auto width = tokens[0].size(), each = width / kHeads;
  Rows projected;
  for (const auto& token : tokens)
    projected.push_back(read.linear(name + ".in_proj_weight", name + ".in_proj_bias", token));
  Rows out;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Vector mixed(width, 0.0);
    for (std::size_t head = 0; head < kHeads; ++head) {
      Vector weight(tokens.size(), 0.0);
      double total = 0.0;
      for (std::size_t u = 0; u < tokens.size(); ++u) {
        for (std::size_t i = head * each; i < (head + 1) * each; ++i)
          weight[u] += projected[t][i] * projected[u][width + i];
        weight[u] = std::exp(weight[u] / std::sqrt(static_cast<double>(each)));
        total += weight[u];
      }
      for (std::size_t u = 0; u < tokens.size(); ++u)
        for (std::size_t i = head * each; i < (head + 1) * each; ++i)
          mixed[i] += weight[u] / total * projected[u][2 * width + i];
    }
    out.push_back(read.linear(name + ".out_proj", mixed));
  }
  return out;
}

Rows encoder_layer(const Reader& read, const std::string& name, Rows tokens) {
  Rows normal;
  for (const auto& token : tokens) normal.push_back(read.norm(name + ".norm1", token));
  const auto mixed = attention(read, name + ".self_attn", normal);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    tokens[t] = sum(tokens[t], mixed[t]);
    const auto hidden = relu(read.linear(name + ".linear1", read.norm(name + ".norm2", tokens[t])));
    tokens[t] = sum(tokens[t], read.linear(name + ".linear2", hidden));
  }
  return tokens;
}

}  // namespace

PlainOutput plain_paper_network(const amortised::TensorFile& file, const Matrix& x,
                                const std::vector<double>& diseased) {
  const Reader read(file);
  const auto J = x.rows(), B = x.cols();
  PlainOutput out;

  Rows tokens;
  for (std::size_t b = 0; b < B; ++b) {
    Vector token(256, 0.0);
    for (std::size_t j = 0; j < J; ++j) {
      auto cell = relu(
          read.norm("sequencing.cell.1", read.linear("sequencing.cell.0", {x(j, b), diseased[j]})));
      cell = relu(read.norm("sequencing.cell.4", read.linear("sequencing.cell.3", cell)));
      for (std::size_t i = 0; i < 256; ++i) token[i] += cell[i] / static_cast<double>(J);
    }
    for (std::size_t i = 0; i < 256; ++i)
      token[i] += static_cast<double>(read.values("sequencing.position")[b * 256 + i]);
    tokens.push_back(token);
  }
  for (int layer = 0; layer < 4; ++layer)
    tokens = encoder_layer(read, fmt::format("sequencing.encoder.layers.{}", layer), tokens);
  for (const auto& token : tokens)
    out.scores.push_back(
        read.linear("sequencing.head.3", relu(read.linear("sequencing.head.0", token)))[0]);

  Rows people;
  for (std::size_t j = 0; j < J; ++j) {
    Vector happened;
    for (std::size_t b = 0; b < B; ++b) {
      auto cell =
          relu(read.linear("staging.detector.0", {x(j, b), diseased[j], sigmoid(out.scores[b])}));
      cell = relu(read.linear("staging.detector.2", cell));
      happened.push_back(sigmoid(read.linear("staging.detector.4", cell)[0]));
    }
    people.push_back(
        relu(read.norm("staging.patient.1", read.linear("staging.patient.0", happened))));
  }
  for (int layer = 0; layer < 2; ++layer)
    people = encoder_layer(read, fmt::format("staging.encoder.layers.{}", layer), people);
  for (const auto& person : people)
    out.stages.push_back(
        read.linear("staging.head.4",
                    relu(read.norm("staging.head.1", read.linear("staging.head.0", person))))[0]);
  return out;
}

}  // namespace tempo::test

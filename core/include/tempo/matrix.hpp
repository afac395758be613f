#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tempo {

/// A row-major view of a matrix that another object owns: `data[row * cols + col]`.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : data_(data), rows_(rows), cols_(cols) {}
  /// A view of mutable values is a view of constant ones.
  operator MatrixView<const T>() const { return {data_, rows_, cols_}; }

  T& operator()(std::size_t row, std::size_t col) const { return data_[row * cols_ + col]; }
  std::span<T> row(std::size_t index) const { return {data_ + index * cols_, cols_}; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return rows_ * cols_ == 0; }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

/// A row-major matrix of doubles that owns its values.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, double fill = 0.0)
      : values_(rows * cols, fill), rows_(rows), cols_(cols) {}

  double& operator()(std::size_t row, std::size_t col) { return values_[row * cols_ + col]; }
  double operator()(std::size_t row, std::size_t col) const { return values_[row * cols_ + col]; }
  std::span<double> row(std::size_t index) { return {values_.data() + index * cols_, cols_}; }
  std::span<const double> row(std::size_t index) const {
    return {values_.data() + index * cols_, cols_};
  }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  MatrixView<double> view() { return {values_.data(), rows_, cols_}; }
  MatrixView<const double> view() const { return {values_.data(), rows_, cols_}; }
  std::vector<double>& values() { return values_; }
  const std::vector<double>& values() const { return values_; }
  bool operator==(const Matrix&) const = default;

 private:
  std::vector<double> values_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace tempo

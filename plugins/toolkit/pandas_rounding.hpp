#pragma once

namespace tempo::toolkit {

/// What `pandas.read_csv` (1.2 and later, default settings) makes of `value` written to a CSV file
/// in Python's shortest form: the same number or a neighbour in double precision, for about one
/// value in six another. Published programs read their cohorts that way, and where the result hangs
/// on rounding, published rows hang on it. NaN stays NaN.
///
/// pandas gathers up to 17 digits, leading zeros among them, in a double, by one multiplication and
/// one addition each, and then multiplies or divides once by a power of ten.
double as_pandas_reads(double value);

}  // namespace tempo::toolkit

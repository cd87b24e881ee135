// SHA-256 as FIPS 180-4 writes it: names and numbering of sections 4 to 6 are kept.
#include "base/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace klingel::base {
namespace {

using Hash = std::array<std::uint32_t, 8>;

// 4.2.2: first 32 bits of the fractional parts of the cube roots of the first 64 primes
constexpr std::array<std::uint32_t, 64> K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// 5.3.3: the same of the square roots of the first 8 primes
constexpr Hash H0 = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// 6.2.2: one block of 64 bytes
void absorb(Hash& H, const unsigned char* block) {
  // 1. message schedule
  std::array<std::uint32_t, 64> W;
  for (std::size_t t = 0; t < 16; ++t) {
    W[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | std::uint32_t{block[4 * t + 3]};
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t x = W[t - 15], y = W[t - 2];
    const std::uint32_t sigma_0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
    const std::uint32_t sigma_1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10);
    W[t] = sigma_1 + W[t - 7] + sigma_0 + W[t - 16];
  }

  // 2. working variables, 3. rounds
  auto [a, b, c, d, e, f, g, h] = H;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t Sigma_1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t Ch = (e & f) ^ (~e & g);
    const std::uint32_t T1 = h + Sigma_1 + Ch + K[t] + W[t];
    const std::uint32_t Sigma_0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t Maj = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t T2 = Sigma_0 + Maj;
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }

  // 4. next intermediate hash
  const Hash working = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) H[i] += working[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Hash H = H0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t i = 0; i < whole; i += 64) absorb(H, data + i);

  // 5.1.1: the rest, a one bit, zeros, and the length in bits as the last 8 bytes
  std::array<unsigned char, 128> tail{};
  const std::size_t rest = bytes.size() - whole;
  for (std::size_t i = 0; i < rest; ++i) tail[i] = data[whole + i];
  tail[rest] = 0x80;
  const std::size_t size = rest < 56 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i)
    tail[size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (std::size_t i = 0; i < size; i += 64) absorb(H, tail.data() + i);

  std::string hex;
  hex.reserve(64);
  for (const std::uint32_t word : H)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 0xf];
  return hex;
}

}  // namespace klingel::base

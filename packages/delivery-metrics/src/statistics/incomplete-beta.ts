/**
 * Returns the regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method; Abramowitz &
 * Stegun 26.5.8).
 * @param a above 0
 * @param b above 0
 * @param x from 0 to 1
 */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(
    logGamma(a + b) -
      logGamma(a) -
      logGamma(b) +
      a * Math.log(x) +
      b * Math.log1p(-x),
  );
  return (front * fraction(a, b, x)) / a;
}

const TINY = 1e-300;
const PRECISION = 1e-14;
/** The maximum number of steps. It needs about the square root of the larger of a and b. */
const MOST_STEPS = 10_000;

function fraction(a: number, b: number, x: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      step = c * d;
      result *= step;
    }
    if (Math.abs(step - 1) < PRECISION) break;
  }
  return result;
}

/** Returns ln Γ(x) for x above 0, by Stirling's series from 10 on (Abramowitz & Stegun 6.1.41). */
function logGamma(x: number): number {
  let shift = 0;
  while (x < 10) {
    shift -= Math.log(x);
    x++;
  }
  const y = 1 / (x * x);
  const series =
    (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x;
  return (
    shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series
  );
}

/**
 * Formats a duration with at most two units: `0 ms`, `850 ms`, `1.2 s`, `12 s`, `2 min 05 s`, `1 h 02 min`, `3 d 4 h`.
 * @param ms milliseconds; a negative duration is shown as 0
 */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  const tenths = Math.round(whole / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 3600)
    return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60)
    return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const units = ["KiB", "MiB", "GiB", "TiB"];

/** Formats a size in bytes, in steps of 1,024: `512 B`, `1.5 KiB`, `12 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${Math.max(0, Math.round(bytes))} B`;
  let value = bytes / 1024;
  let unit = 0;
  // From 1,023.5 on, a value would be rounded to 1024 of the smaller unit.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit] ?? ""}`;
}

/** Formats a number with its noun: `1 package`, `3 packages`, `5,000 packages`, `2 branches` with a plural. */
export function count(
  amount: number,
  noun: string,
  plural = `${noun}s`,
): string {
  return `${formatNumber(amount)} ${amount === 1 ? noun : plural}`;
}

/**
 * Formats a whole number with separators of thousands: `5,000`. `toLocaleString` returns the same, but loads ICU first,
 * for 10 ms.
 */
export function formatNumber(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

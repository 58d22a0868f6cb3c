/* Check digits. Each function takes digits alone, or letters and digits where it says so. */

const numbersOf = (digits: string): number[] => Array.from(digits).map(Number);

/** ISO/IEC 7812-1, annex B: the formula of Luhn. */
export function isLuhn(digits: string): boolean {
  const sum = numbersOf(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? digit * 2 : digit;
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

/** The remainder of a number of any length. */
export function remainder(digits: string, divisor: number): number {
  return numbersOf(digits).reduce((rest, digit) => (rest * 10 + digit) % divisor, 0);
}

/** ISO/IEC 7064, MOD 97-10, as ISO 13616 uses it: letters count from 10, the first four signs stand at the end. */
export function isMod97(signs: string): boolean {
  const turned = signs.slice(4) + signs.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return /^\d+$/.test(digits) && remainder(digits, 97) === 1;
}

/** ISO/IEC 7064, MOD 11,10. */
export function isMod11And10(digits: string): boolean {
  const product = numbersOf(digits.slice(0, -1)).reduce((before, digit) => {
    const sum = (digit + before) % 10 || 10;
    return (sum * 2) % 11;
  }, 10);
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** The sum of the digits, each times the weight at its place. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return numbersOf(digits).reduce((sum, digit, index) => sum + digit * (weights[index] ?? 0), 0);
}

/** Whether there is such a day. The year may have two digits, which fit any century. */
export function isDay(year: number, month: number, day: number): boolean {
  const full = year < 100 ? 2000 + year : year;
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(full, month, 0)).getUTCDate();
}

/** Whether six digits are a day: `ymd` or `dmy`. */
export function isSixDigitDay(digits: string, order: "ymd" | "dmy"): boolean {
  const [first = 0, second = 0, third = 0] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2)));
  return order === "ymd" ? isDay(first, second, third) : isDay(third, second, first);
}

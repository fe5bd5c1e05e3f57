export function ms(value: number): string {
  return value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${value.toFixed(0)} ms`
}

/** What it was of each, to one digit. */
export function each(total: number, count: number): string {
  return (total / count).toFixed(1)
}

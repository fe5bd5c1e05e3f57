/** Writes `0A1B` as `0a:1b`, as services tell of serial numbers. */
export function colons(serial: string): string {
  return (serial.length % 2 === 1 ? `0${serial}` : serial).toLowerCase().replace(/(..)(?=.)/g, '$1:')
}

// The two tables of the bench: rounds per second, and the processor time of the server per round.

/** One operation at one server. */
export interface Measured {
  readonly perSecond: number
  readonly processorMs: number
}

export type Column = 'in process' | 'over HTTP' | 'empty' | 'moto'
/** By operation, then by server. */
export type Rows = ReadonlyMap<string, Partial<Record<Column, Measured>>>

const columns: readonly Column[] = ['in process', 'over HTTP', 'empty', 'moto']

export function printTables(rows: Rows): void {
  print(
    'rounds a second',
    rows,
    ({ perSecond }) => perSecond,
    0,
    (own, moto) => own / moto,
  )
  print(
    'processor ms a round',
    rows,
    ({ processorMs }) => processorMs,
    3,
    (own, moto) => moto / own,
  )
}

function print(
  title: string,
  rows: Rows,
  value: (measured: Measured) => number,
  digits: number,
  ratio: (own: number, moto: number) => number,
): void {
  line(title, ...columns, 'HTTP to moto')
  for (const [operation, row] of rows) {
    const values = columns.map(column => {
      const measured = row[column]
      return measured === undefined ? Number.NaN : value(measured)
    })
    const [, http = Number.NaN, , moto = Number.NaN] = values
    line(operation, ...values.map(number => cell(number, digits)), Number.isNaN(moto) ? '-' : `${ratio(http, moto).toFixed(1)}x`)
  }
}

function cell(value: number, digits: number): string {
  return Number.isNaN(value) ? '-' : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function line(first: string, ...rest: readonly string[]): void {
  console.log(first.padEnd(28) + rest.map(text => text.padStart(14)).join(''))
}

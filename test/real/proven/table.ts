// The table of kinds by what was proven of each. A cell says something when AWS said it and a call of ours was seen; the rest has its reason.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KindCase } from './case.ts'
import type { Proof, Step } from './proof.ts'

const page = join(import.meta.dirname, '../../../docs/reference/proven-kinds.md')
const mark = '<!-- made by `npm run kinds -- --write` -->'

/** Steps that every kind is taken through, in their order; what stands between them are fields that were changed. */
const life = ['create', 'restart', 'read-only', 'retain', 'adoption', 'delete']

export function tableOf(proofs: readonly Proof[], cases: readonly KindCase[]): string {
  const rows = proofs.map(proof => {
    const one = cases.find(({ service, kind }) => service === proof.service && kind === proof.kind)
    return row(proof, one)
  })
  return ['| kind | changed | drift put right | names others | life | not proven |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function row({ service, kind, steps }: Proof, one: KindCase | undefined): string {
  // What is said to be impossible may happen to look done, and is no proof.
  const cannot = Object.keys(one?.cannot ?? {})
  const isShown = (step: Step): boolean => isProven(step) && !cannot.includes(step.name)
  const proven = steps.filter(isShown).map(({ name }) => name)
  const isMade = proven.includes('create')
  const changes = proven.filter(name => !life.includes(name))
  const drifts = changes.filter(name => name.endsWith(': drift')).map(name => name.slice(0, -': drift'.length))
  const lacking = steps.filter(step => !isShown(step)).map(({ name }) => name)
  const missing = life.filter(name => !steps.some(step => step.name === name))
  const why = [...lacking, ...missing].map(name => `${name}${one?.cannot?.[name] === undefined ? '' : `: ${one.cannot[name]}`}`)
  const cells = [
    `${service} ${kind}`,
    changes.filter(name => !name.endsWith(': drift')).join(', '),
    drifts.join(', '),
    isMade ? namedBy(one?.spec).join(', ') : '',
    life.filter(name => proven.includes(name)).join(', '),
    why.join('; '),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A green cell without a call that was seen would prove nothing. */
function isProven({ failure, calls }: Step): boolean {
  return failure === undefined && calls.length > 0
}

/** Fields that name other objects or Secrets, which the object was made of. */
function namedBy(spec: unknown, path = ''): readonly string[] {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return []
  return Object.entries(spec).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`
    const first: unknown = Array.isArray(value) ? (value as readonly unknown[])[0] : value
    const keys = typeof first === 'object' && first !== null ? Object.keys(first).sort().join() : ''
    if (keys === 'from' || keys === 'key,name,namespace') return [at]
    return namedBy(value, at)
  })
}

export function writeTable(proofs: readonly Proof[], cases: readonly KindCase[]): void {
  const [head = ''] = readFileSync(page, 'utf8').split(mark)
  writeFileSync(page, `${head}${mark}\n\n${tableOf(proofs, cases)}\n`)
}

/** What the page says now, for a test that holds it to what is proven. */
export function tableOnPage(): string {
  return (readFileSync(page, 'utf8').split(mark)[1] ?? '').trim()
}

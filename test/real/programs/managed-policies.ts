// The managed policies of AWS as moto recorded them from IAM, and the file in which the emulator keeps those that are attached most.
import { spawnSync } from 'node:child_process'
import type { Python } from './python.ts'

export interface RecordedPolicy {
  readonly CreateDate: string
  readonly UpdateDate: string
  readonly DefaultVersionId: string
  readonly Document: unknown
  readonly Path: string
}

export type RecordedPolicies = Readonly<Record<string, RecordedPolicy>>

const print = `
import sys
from moto.iam.aws_managed_policies import aws_managed_policies_data
sys.stdout.write(aws_managed_policies_data)
`

export function recordedPolicies(python: Python): RecordedPolicies {
  const { status, stdout, stderr } = spawnSync(python.program('python'), ['-c', print], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`moto did not tell its policies: ${stderr}`)
  return JSON.parse(stdout) as RecordedPolicies
}

/** The names of those that the file has. */
export function policyNames(text: string): readonly string[] {
  return Object.keys(JSON.parse(text) as object)
}

/** The whole file, with these policies. */
export function renderPolicies(recording: RecordedPolicies, names: readonly string[]): string {
  const sorted = [...new Set(names)].sort()
  const lines = sorted.map(name => {
    const policy = recording[name]
    if (policy === undefined) throw new Error(`moto has no policy ${name}`)
    const { Path: path, DefaultVersionId: version, CreateDate: created, UpdateDate: updated, Document: document } = policy
    // Within a template nothing may be filled in, nor end it.
    const told = JSON.stringify({ path, version, created, updated, document })
    return `${JSON.stringify(name)}:${told.replaceAll('${', '\\u0024{').replaceAll('`', '\\u0060')}`
  })
  return `// Recorded: managed policies of AWS as IAM returns them, the ${sorted.length} that are attached most; from the recording that moto carries
// (moto/iam/aws_managed_policies.py), by \`npm run managed-policies\`; never edited. Read by managed-policies.ts.
export const text: string = String.raw\`{
${lines.join(',\n')}
}\`
`
}

// `npm run managed-policies [-- NAME ...] [--write]`: compares the managed policies of AWS that the emulator knows with the recording that moto
// carries, and says which differ; `--write` takes them from there anew, with those named beside. moto records them from IAM now and then: a
// newer release in test/real/python-requirements.txt brings newer ones.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { text } from '../src/emulator/policy/aws-policies.gen.ts'
import { policyNames, recordedPolicies, renderPolicies } from '../test/real/programs/managed-policies.ts'
import { pythonEnvironment } from '../test/real/programs/python.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean', default: false } } })
const python = await pythonEnvironment()
if ('missing' in python) throw new Error(python.missing)
const recording = recordedPolicies(python)
const file = join(import.meta.dirname, '../src/emulator/policy/aws-policies.gen.ts')
const wanted = renderPolicies(recording, [...policyNames(text), ...positionals])
const isSame = wanted === readFileSync(file, 'utf8')
if (values.write && !isSame) writeFileSync(file, wanted)
console.log(isSame ? 'as recorded' : values.write ? `written: ${file}` : 'not as recorded; --write takes the recording')
process.exitCode = isSame || values.write ? 0 : 1

// `npm run managed-policies [-- NAME ...] [--write]`: compares the managed policies of AWS that the emulator knows with the recording that moto
// carries, and says which differ; `--write` takes them from there anew, with those named beside. moto records them from IAM now and then: a
// newer release in test/real/python-requirements.txt brings newer ones.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from '../src/emulator/policy/aws-policies.gen.ts'
import { policyNames, recordedPolicies, renderPolicies } from '../test/real/programs/managed-policies.ts'
import { pythonEnvironment } from '../test/real/programs/python.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const given = takeFlags(commands['managed-policies'])
const isWriting = given.isGiven('write')
const python = await pythonEnvironment()
if ('missing' in python) throw new Error(python.missing)
const recording = recordedPolicies(python)
const file = join(import.meta.dirname, '../src/emulator/policy/aws-policies.gen.ts')
const wanted = renderPolicies(recording, [...policyNames(text), ...given.words])
const isSame = wanted === readFileSync(file, 'utf8')
if (isWriting && !isSame) writeFileSync(file, wanted)
console.log(isSame ? 'as recorded' : isWriting ? `written: ${file}` : 'not as recorded; --write takes the recording')
process.exitCode = isSame || isWriting ? 0 : 1

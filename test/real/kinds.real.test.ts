// The table of kinds by what was proven, held: every step of every kind on moto, and those of SQS and SNS on our own emulator.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAws } from '#emulator'
import { type Moto, startMoto } from './moto.ts'
import { kindCases } from './proven/cases.ts'
import { prove } from './proven/proof.ts'
import { missingData, provenService } from './proven/services.ts'
import { type Python, pythonEnvironment } from './python.ts'

const python = await pythonEnvironment()
const skip = missingData ?? ('missing' in python ? python.missing : false)

function failures(steps: Awaited<ReturnType<typeof prove>>['steps']): readonly string[] {
  return steps.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]))
}

describe('kinds of services with the config that upstream ships, on moto', { skip }, () => {
  let moto: Moto
  before(async () => {
    moto = await startMoto(python as Python)
  })
  after(() => moto.stop())

  for (const one of kindCases)
    test(`${one.service} ${one.kind}: made, each field changed, drift repaired, gone`, async () => {
      await moto.reset()
      const aliases = new Set([one.service, ...(one.needs ?? []).map(([service]) => service)].filter(each => each !== 'iam'))
      const { steps } = await prove(moto.url, [...aliases].map(provenService), one)
      assert.deepEqual(failures(steps), [])
      assert.ok(steps.every(({ calls }) => calls.length > 0))
    })
})

describe('the same on the emulator', { skip: missingData ?? false }, () => {
  for (const one of kindCases.filter(
    ({ service, kind }) => service === 'sqs' || (service === 'sns' && kind !== 'PlatformApplication'),
  ))
    test(`${one.service} ${one.kind}`, async () => {
      const aws = createAws({ accounts: ['123456789012'], region: 'us-east-1', signatures: 'off' })
      const listener = await aws.listen()
      try {
        const { steps } = await prove(`http://127.0.0.1:${listener.port}`, ['sqs', 'sns'].map(provenService), one)
        assert.deepEqual(failures(steps), [])
      } finally {
        await aws.close()
      }
    })
})

// The table of kinds by what was proven, held: every step of every kind on moto, and those of SQS and SNS on our own emulator.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAws } from '#emulator'
import { type Moto, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'
import { kindCases } from './proven/cases.ts'
import { accountOf, type Proof, prove } from './proven/proof.ts'
import { missingData, neededBy, provenService } from './proven/services.ts'
import { tableOf, tableOnPage } from './proven/table.ts'

const python = await pythonEnvironment()
const skip = missingData ?? ('missing' in python ? python.missing : false)

function failures(steps: Awaited<ReturnType<typeof prove>>['steps']): readonly string[] {
  return steps.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]))
}

const proofs: Proof[] = []

/** Cases that run side by side, each in an account of its own: they mostly wait. */
const atOnce = 16

/** Those of which most cannot be done come first: a step that does not come to pass is waited for until its time is over. */
const longestFirst = [...kindCases.entries()].toSorted(([, a], [, b]) => impossible(b) - impossible(a))

function impossible({ cannot = {} }: (typeof kindCases)[number]): number {
  return Object.keys(cannot).length
}

describe('kinds of services with the config that upstream ships, on moto', { skip, concurrency: atOnce }, () => {
  let moto: Moto
  before(async () => {
    moto = await startMoto(python as Python)
  })
  after(() => moto.stop())

  for (const [index, one] of longestFirst)
    test(`${one.service} ${one.kind}: made, each field changed, drift repaired, gone`, async () => {
      const proof = await prove({ url: moto.url, account: accountOf(index), ...neededBy([one], python as Python) }, one)
      proofs[index] = proof
      const { steps } = proof
      const cannot = Object.keys(one.cannot ?? {})
      assert.deepEqual(failures(steps.filter(({ name }) => !cannot.includes(name))), [])
      // What can be proven by now is to be told so; a deletion that follows no adoption goes one way or the other.
      assert.deepEqual(
        cannot.filter(name => name !== 'delete' && steps.find(step => step.name === name)?.failure === undefined),
        [],
      )
      assert.deepEqual(
        steps
          .filter(({ calls, failure }) => calls.length === 0 && failure === undefined)
          .map(({ name }) => `${one.kind}: ${name}`),
        [],
      )
    })
})

describe('the page of proven kinds', { skip }, () => {
  test('says what was proven, and nothing else', () => {
    assert.equal(tableOnPage(), tableOf(proofs, kindCases))
  })
})

describe('the same on the emulator', { skip: missingData ?? false }, () => {
  for (const one of kindCases.filter(
    ({ service, kind }) => service === 'sqs' || (service === 'sns' && !kind.startsWith('Platform')),
  ))
    test(`${one.service} ${one.kind}`, async () => {
      const aws = createAws({ accounts: ['123456789012'], region: 'us-east-1', signatures: 'off' })
      const listener = await aws.listen()
      try {
        const { steps } = await prove(
          { url: `http://127.0.0.1:${listener.port}`, services: ['sqs', 'sns'].map(provenService) },
          one,
        )
        assert.deepEqual(failures(steps), [])
      } finally {
        await aws.close()
      }
    })
})

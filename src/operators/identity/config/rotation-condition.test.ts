// What is said of a rotation, in each of its phases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRing, SigningKey } from './key-ring.ts'
import { graceMsDefault, propagationMsDefault, type RotationPhase } from './rotation.ts'
import { type RotationTold, rotationCondition } from './rotation-condition.ts'

const key = (keyId: string): SigningKey => ({ public: { keyId, pem: '', modulus: '', exponent: '' }, privatePem: '' })
const current = key('one')
const next = key('two')
const previous = key('zero').public

const rows: readonly (readonly [
  what: string,
  told: Partial<Omit<RotationTold, 'ring'>>,
  ring: KeyRing,
  said: string | undefined,
])[] = [
  ['nobody ever asked for', {}, { current }, undefined],
  [
    'that is on record as answered',
    {},
    { current, request: 'r' },
    'True SigningKeyCurrent: key one signs, and no other is accepted',
  ],
  ['that is asked for by its age', { maxAge: 1 }, { current }, 'True SigningKeyCurrent: key one signs, and no other is accepted'],
  [
    'that was asked for and has not begun',
    { wish: { request: 'r' } },
    { current },
    'True SigningKeyCurrent: key one signs, and no other is accepted',
  ],
  ['that begins in this pass', { wish: { request: 'r' }, step: { phase: 'publishing' } }, { current }, undefined],
  [
    'by an age that nobody can read',
    { maxAge: 'unreadable' },
    { current },
    'False InvalidSpec: annotation aws.identity.appthrust.io/signing-key-max-age is no duration of a day or more, such as 720h; the key does not age',
  ],
  ['whose key is not public yet', {}, { current, next }, 'False SigningKeyPublished: key two is being published beside one'],
  [
    'whose key is public',
    {},
    { current, next, nextPublishedMs: 1 },
    'False SigningKeyPropagating: key two is published; it signs after 15m0s',
  ],
  [
    'of which nobody can tell which key signs',
    {},
    { current, previous },
    'False SigningKeyHandover: the API server is to sign with key one of the signing Secret; which key the cluster signs with cannot be told: state it in the annotation aws.identity.appthrust.io/signing-key-in-use of the signing Secret',
  ],
  [
    'that the API server does not follow',
    { signer: 'zero' },
    { current, previous },
    'False SigningKeyHandover: the API server is to sign with key one of the signing Secret; the cluster still signs with zero',
  ],
  [
    'whose old key goes',
    { signer: 'one' },
    { current, previous, retiresMs: 1 },
    'False SigningKeyRetiring: the cluster signs with one; zero stays for 25h0m0s',
  ],
]

for (const [what, told, ring, said] of rows)
  test(`of a rotation ${what} ${said === undefined ? 'nothing is said' : `is said: ${said.split(':')[0]}`}`, () => {
    const condition = rotationCondition({
      ring,
      step: { phase: 'steady' satisfies RotationPhase },
      wish: { request: undefined },
      maxAge: undefined,
      signer: undefined,
      times: { propagationMs: propagationMsDefault, graceMs: graceMsDefault },
      ...told,
    })
    assert.equal(condition && `${condition.status} ${condition.reason}: ${condition.message}`, said)
  })

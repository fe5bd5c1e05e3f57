// What is changed of a certificate that serves, by what its spec asks for and what its tags say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagKeys } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import type { CertSpec } from '../../api.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { arn, certSeen, issued, request, settings } from '../../testing/cert-seen.fixture.ts'
import type { CloudAction } from '../cloud-action.ts'
import { ownerTags, tagList } from './calls.ts'
import { touchUp } from './touch-up.ts'

interface Held {
  readonly spec?: Partial<CertSpec>
  readonly status?: CertStatus
  readonly certificate?: Partial<CloudCertificate>
  readonly tags?: Readonly<Record<string, string>> | undefined
}

const claimOf = ({ spec = {}, status = {} }: Held) =>
  certSeen({ spec, status: { request: request(0, undefined, 3), ...status } }).claim ?? assert.fail()
const marks = ownerTags(claimOf({}), 'here', 3)

function touched(held: Held) {
  const { certificate = {}, tags = marks } = held
  const look = { kind: 'present', certificate: issued(certificate), ...('tags' in held && !held.tags ? {} : { tags }) } as const
  return touchUp(claimOf(held), look, settings)
}

const calls = (actions: readonly CloudAction[]): readonly string[] => actions.map(({ operation }) => operation)
const [add, remove, options] = ['AddTagsToCertificate', 'RemoveTagsFromCertificate', 'UpdateCertificateOptions']
const privateCa = { issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } } as const
const { [tagKeys.revision]: _, ...unnumbered } = marks

for (const [what, held, expected] of [
  ['that is as it was asked for', {}, []],
  ['without a tag of its spec', { spec: { tags: { team: 'a' } } }, [add]],
  ['with another value of a tag of its spec', { spec: { tags: { team: 'a' } }, tags: { ...marks, team: 'b' } }, [add]],
  ['with the tag of its spec', { spec: { tags: { team: 'a' } }, tags: { ...marks, team: 'a' } }, []],
  ['without one of our marks', { tags: unnumbered }, [add]],
  ['with a tag of somebody else', { tags: { ...marks, cost: '1' } }, []],
  ['with a tag that the spec had before', { status: { appliedTags: ['team'] }, tags: { ...marks, team: 'a' } }, [remove]],
  ['that lost a tag that the spec had before', { status: { appliedTags: ['team'] } }, []],
  [
    'with a tag that the spec had before, and has',
    { spec: { tags: { team: 'a' } }, status: { appliedTags: ['team'] }, tags: { ...marks, team: 'a' } },
    [],
  ],
  [
    'with one tag too many and one missing, and another option',
    {
      spec: { tags: { team: 'a' }, transparencyLogging: 'Disabled' },
      status: { appliedTags: ['old'] },
      tags: { ...marks, old: '1' },
    },
    [options, add, remove],
  ],
  ['that is logged, and is not to be', { spec: { transparencyLogging: 'Disabled' } }, [options]],
  ['that is not logged, and is to be', { certificate: { transparencyLogging: 'Disabled' } }, [options]],
  ['of a private authority', { certificate: { type: 'PRIVATE', transparencyLogging: 'Disabled' } }, []],
  ['that is to be of a private authority', { spec: privateCa, certificate: { transparencyLogging: 'Disabled' } }, []],
  ['whose tags were not asked', { spec: { tags: { team: 'a' } }, tags: undefined }, []],
  ['whose tags were not asked, with another option', { spec: { transparencyLogging: 'Disabled' }, tags: undefined }, [options]],
] satisfies readonly (readonly [string, Held, readonly string[]])[])
  test(`a certificate ${what} is ${expected.length === 0 ? 'left as it is' : 'changed to what is asked for'} [8.2, S27]`, () => {
    const { actions, heldUp } = touched(held)
    assert.deepEqual([calls(actions), heldUp], [expected, undefined])
  })

test('the option that is asked for is sent in the words of ACM, and only to a certificate that is not another’s [8.2, S6]', () => {
  const sent = (spec: Partial<CertSpec>, certificate: Partial<CloudCertificate>): unknown => {
    const [call] = touched({ spec, certificate }).actions
    return [call?.input, call?.madeFor?.uid]
  }
  const asking = (preference: string): unknown => [
    { CertificateArn: arn, Options: { CertificateTransparencyLoggingPreference: preference } },
    'uid-1',
  ]
  assert.deepEqual(sent({ transparencyLogging: 'Disabled' }, {}), asking('DISABLED'))
  assert.deepEqual(sent({}, { transparencyLogging: 'Disabled' }), asking('ENABLED'))
})

test('only the tags that are missing are sent, and only the names of those that are too many [8.2]', () => {
  const { actions } = touched({
    spec: { tags: { a: '1', b: '2' } },
    status: { appliedTags: ['b', 'old'] },
    tags: { ...marks, b: '2', old: '3' },
  })
  const [adding, removing] = actions
  assert.deepEqual(adding?.input, { CertificateArn: arn, Tags: tagList({ a: '1' }) })
  assert.deepEqual(removing?.input, { CertificateArn: arn, Tags: [{ Key: 'old' }] })
})

test('the number of the request is a mark, and the first one where the status names none [8.2]', () => {
  const missing = (status: CertStatus): unknown => {
    const { actions } = touched({ status, tags: unnumbered })
    return actions[0]?.input.Tags
  }
  assert.deepEqual(missing({}), [{ Key: tagKeys.revision, Value: '3' }])
  assert.deepEqual(missing({ request: undefined as never }), [{ Key: tagKeys.revision, Value: '1' }])
})

test('which tags of the spec are there is said in their order, and nothing where it has none [8.2]', () => {
  assert.deepEqual(touched({ spec: { tags: { b: '2', a: '1' } } }).status, { appliedTags: ['a', 'b'] })
  assert.deepEqual(touched({}).status, { appliedTags: undefined })
  assert.deepEqual(touched({ spec: { tags: { a: '1' } }, tags: undefined }).status, {})
})

for (const [what, held, isHeldUp] of [
  ['nothing is to be changed', {}, false],
  ['a tag of the spec is missing', { spec: { tags: { team: 'a' } } }, true],
  ['a tag of the spec is there', { spec: { tags: { team: 'a' } }, tags: { team: 'a' } }, false],
  ['a tag is too many', { status: { appliedTags: ['team'] }, tags: { team: 'a' } }, true],
  ['an option is another one', { spec: { transparencyLogging: 'Disabled' } }, true],
] satisfies readonly (readonly [string, Held, boolean])[])
  test(`of a certificate without our marks nothing is changed, and where ${what} a person is ${isHeldUp ? '' : 'not '}asked for them [S6, S27]`, () => {
    const { actions, heldUp, status } = touched({ tags: {}, ...held } as Held)
    assert.deepEqual([actions, heldUp?.reason], [[], isHeldUp ? 'AccessDenied' : undefined])
    assert.deepEqual('appliedTags' in status, !isHeldUp)
    if (heldUp === undefined) return
    const given = [`${tagKeys.managedBy}=cert-operator`, `${tagKeys.namespace}=team`, `${tagKeys.name}=api`].join(', ')
    assert.equal(heldUp.message, `the certificate carries no mark of this object and is not changed: tag it with ${given}`)
  })

test('a certificate that was not seen is not touched', () => {
  assert.deepEqual(touchUp(claimOf({}), { kind: 'absent', isConfirmed: true }, settings), { actions: [], status: {} })
})

// Which ConfigMaps and Secrets an export may write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamedObjects } from '#kube'
import type { Holder } from '../secrets/protected-objects.ts'
import { type Asked, refusedTarget, refusedUnread, type WriteRules } from './target.ts'

const asked = (kind: Asked['kind'], place = 'apps/target', more: Partial<Asked> = {}): Asked => {
  const [namespace = '', name = ''] = place.split('/')
  return { kind, key: { namespace, name }, from: 'apps', ...more }
}
const rules = (crossNamespace = false, ...secrets: readonly string[]): WriteRules => ({
  crossNamespace,
  secrets: parseNamedObjects(secrets),
  anySecretType: false,
})

const unread: readonly (readonly [what: string, asked: Asked, rules: WriteRules, refused: RegExp | undefined])[] = [
  ['a ConfigMap beside it', asked('ConfigMap'), rules(), undefined],
  [
    'a ConfigMap elsewhere',
    asked('ConfigMap', 'other/target'),
    rules(),
    /TargetRefused the configmap other\/target is in another namespace than apps/,
  ],
  ['a ConfigMap elsewhere, where settings let it', asked('ConfigMap', 'other/target'), rules(true), undefined],
  ['role mappings', asked('ConfigMap', 'apps/aws-auth'), rules(), /TargetRefused .* holds role mappings/],
  ['a Secret called like role mappings', asked('Secret', 'apps/aws-auth'), rules(false, '*'), undefined],
  ['a signing key', asked('Secret', 'apps/awi-signing-key-1'), rules(false, '*'), /TargetRefused .* is a signing key/],
  ['a ConfigMap called like a signing key', asked('ConfigMap', 'apps/awi-signing-key-1'), rules(), undefined],
  ['a Secret that the settings name', asked('Secret'), rules(false, 'apps/target'), undefined],
  [
    'a Secret that the settings do not name',
    asked('Secret'),
    rules(false, 'apps/other'),
    /SecretUnusable the secret apps\/target is not among those/,
  ],
]

for (const [what, target, allowed, refused] of unread)
  test(`an export into ${what} is ${refused === undefined ? 'allowed' : 'refused unread'}`, () => {
    const found = refusedUnread(target, allowed)
    if (refused === undefined) assert.equal(found, undefined)
    else assert.match(`${found?.reason} ${found?.message}`, refused)
  })

const holder = (metadata: object = {}, more: object = {}): Holder =>
  ({ metadata: { name: 'target', ...metadata }, ...more }) as never
const accepting = (listed: string): Holder => holder({ annotations: { 'services.k8s.aws/accept-exports-from': listed } })
const elsewhere = asked('ConfigMap', 'other/target')
const made = (name: string, value: string): Holder => holder({ labels: { other: 'x', [name]: value } })
const owners = (controller: boolean): Holder => holder({ ownerReferences: [{ kind: 'Job', name: 'j', controller }] })
const id = '444455556666'
const arn = `arn:aws:iam::${id}:role/x`
const data = (held: object): Holder => holder({}, { data: { plain: 'x', ...held } })

const there: readonly (readonly [what: string, asked: Asked, target: Holder | undefined, refused: RegExp | undefined])[] = [
  ['what is missing', asked('ConfigMap'), undefined, undefined],
  ['what is missing elsewhere', elsewhere, undefined, /does not accept exports from namespace apps/],
  ['what accepts nobody', elsewhere, holder(), /does not accept exports from namespace apps/],
  ['what accepts others', elsewhere, accepting('team'), /does not accept/],
  ['what accepts others and it', elsewhere, accepting('team, apps'), undefined],
  ['what is beside it', asked('ConfigMap'), holder(), undefined],
  ['what bears a label of ours', asked('ConfigMap'), made('services.k8s.aws/kind', 'x'), /was made by an operator/],
  ['what bears a label below our domain', asked('ConfigMap'), made('iam.services.k8s.aws/kind', 'x'), /was made by an operator/],
  ['what bears a label of another domain', asked('ConfigMap'), made('myservices.k8s.aws/kind', 'x'), undefined],
  ['what is managed by us', asked('ConfigMap'), made('app.kubernetes.io/managed-by', 'vouch'), /was made by an operator/],
  ['what is managed by others', asked('ConfigMap'), made('app.kubernetes.io/managed-by', 'helm'), undefined],
  ['what is labelled by a name that objects have', asked('ConfigMap'), made('constructor', 'vouch'), undefined],
  ['what a controller has', asked('ConfigMap'), owners(true), /belongs to Job j, which alone writes it/],
  ['what goes with an owner that does not control it', asked('ConfigMap'), owners(false), undefined],
  ['roles by account', asked('ConfigMap'), data({ [id]: arn }), /holds role mappings/],
  ['roles by service and account', asked('ConfigMap'), data({ [`s3.${id}`]: arn }), /holds role mappings/],
  ['buckets by account', asked('ConfigMap'), data({ [id]: 'arn:aws:s3:::x' }), undefined],
  ['roles by another key', asked('ConfigMap'), data({ role: arn }), undefined],
  ['roles of a cluster', asked('ConfigMap'), data({ mapRoles: '[]' }), /holds role mappings/],
  ['accounts of a cluster', asked('ConfigMap'), data({ mapAccounts: '[]' }), /holds role mappings/],
  ['a Secret without a type', asked('Secret'), holder(), undefined],
  [
    'a Secret of another type',
    asked('Secret'),
    holder({}, { type: 'kubernetes.io/tls' }),
    /is of type kubernetes.io\/tls, and only Opaque is written/,
  ],
  [
    'a Secret of one of two types',
    asked('Secret', 'apps/target', { secretTypes: ['Opaque', 'kubernetes.io/tls'] }),
    holder({}, { type: 'kubernetes.io/tls' }),
    undefined,
  ],
  ['a ConfigMap that has a type', asked('ConfigMap'), holder({}, { type: 'x' }), undefined],
]

for (const [what, target, held, refused] of there)
  test(`an export into ${what} is ${refused === undefined ? 'written' : 'refused'}`, () => {
    const found = refusedTarget(target, held)
    if (refused === undefined) assert.equal(found, undefined)
    else assert.match(`${found?.reason} ${found?.message}`, refused)
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const object = (kind: string, content: JsonObject): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind,
  metadata: { name: 'x' },
  ...content,
})

test('who attaches a volume, and to which node, is said', () => {
  const attachment = (spec: JsonObject): JsonObject => object('VolumeAttachment', { spec })
  const source = { persistentVolumeName: 'v' }
  assert.deepEqual(refusals(attachment({ attacher: 'A.com', nodeName: 'n', source })), [])
  assert.deepEqual(refusals(attachment({ attacher: '-', nodeName: '', source })), [
    `spec.nodeName: Invalid value: "": ${subdomain}`,
    `spec.attacher: Invalid value: "-": ${subdomain}`,
  ])
})

const csi = { driver: 'a.com', volumeHandle: 'h' }
const at = 'spec.source.inlineVolumeSpec'
const inline = (content: JsonObject): JsonObject => ({
  source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], ...content } },
})
const nowhere = 'may not be specified in the context of inline volumes'
const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

const rows: readonly (readonly [what: string, spec: JsonObject, ...told: string[]])[] = [
  [
    'nobody who attaches nothing nowhere',
    { attacher: '', nodeName: '', source: {} },
    'spec.attacher: Required value',
    `spec.source: Required value: ${oneSource}`,
    `spec.nodeName: Invalid value: "": ${subdomain}`,
    'spec.attacher: Required value',
    `spec.attacher: Invalid value: "": ${subdomain}`,
  ],
  ['an attacher of the longest name', { attacher: 'a'.repeat(63) }],
  ['an attacher of a longer name', { attacher: 'a'.repeat(64) }, 'spec.attacher: Too long: may not be more than 63 bytes'],
  [
    'a volume without a name',
    { source: { persistentVolumeName: '' } },
    'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
    `spec.source.persistentVolumeName: Invalid value: "": ${subdomain}`,
  ],
  [
    'a volume of that name and another',
    { source: { persistentVolumeName: 'V', inlineVolumeSpec: {} } },
    `spec.source: Forbidden: ${oneSource}`,
    `spec.source.persistentVolumeName: Invalid value: "V": ${subdomain}`,
  ],
  [
    'a volume of its own',
    inline({ csi, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', mountOptions: ['ro'] }),
  ],
  [
    'a volume of its own that is none',
    { source: { inlineVolumeSpec: {} } },
    `${at}.csi: Required value: has to be specified in the context of inline volumes`,
    `${at}.accessModes: Required value`,
    `${at}: Required value: must specify a volume type`,
  ],
  [
    'a volume of its own that says whose it is',
    inline({
      csi,
      capacity: { storage: '0' },
      claimRef: {},
      persistentVolumeReclaimPolicy: 'Delete',
      nodeAffinity: {},
      storageClassName: 'A',
      volumeMode: 'Block',
      volumeAttributesClassName: '',
    }),
    `${at}.claimRef: Forbidden: ${nowhere}`,
    `${at}.capacity: Forbidden: ${nowhere}`,
    `${at}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
    `${at}.nodeAffinity: Forbidden: ${nowhere}`,
    `${at}.storageClassName: Forbidden: ${nowhere}`,
    `${at}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
  ],
  [
    'a folder of the node',
    inline({ hostPath: { path: '/a' } }),
    `${at}.csi: Required value: has to be specified in the context of inline volumes`,
  ],
]

for (const [what, spec, ...told] of rows)
  test(`an attachment with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const source = { persistentVolumeName: 'v' }
    const whole = { attacher: 'a.com', nodeName: 'n', source, ...spec }
    assert.deepEqual(refusals(object('VolumeAttachment', { spec: whole })), told)
  })

const was = { attacher: 'a.com', nodeName: 'n', source: { persistentVolumeName: 'v' } }
const stays = (attacher: string, name: string | null): string =>
  `spec: Invalid value: {"Attacher":"${attacher}","Source":{"PersistentVolumeName":${JSON.stringify(name)},"InlineVolumeSpec":null},"NodeName":"n"}: field is immutable`

const changes: readonly (readonly [what: string, spec: JsonObject, ...told: string[]])[] = [
  ['nothing', {}],
  ['who attaches, whatever the name', { attacher: 'a/b' }, stays('a/b', 'v')],
  ['what is attached, whatever the name', { source: { persistentVolumeName: 'V' } }, stays('a.com', 'V')],
  ['who attaches to nobody', { attacher: '' }, 'spec.attacher: Required value', 'spec.attacher: Required value', stays('', 'v')],
  [
    'what is attached to nothing',
    { source: {} },
    `spec.source: Required value: ${oneSource}`,
    `spec.source: Required value: ${oneSource}`,
    stays('a.com', null),
  ],
]

for (const [what, spec, ...told] of changes)
  test(`that an attachment changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const old = object('VolumeAttachment', { spec: was })
    assert.deepEqual(refusals(object('VolumeAttachment', { spec: { ...was, ...spec } }), { old }), told)
  })

test('what is said of an attachment has bounds, and whatever exceeds them is told by the same one, twice', () => {
  const old = object('VolumeAttachment', { spec: was })
  const told = (status: JsonObject): readonly string[] =>
    refusals({ ...old, status: { attached: true, ...status } }, { old, subresource: 'status' })
  const message = 'x'.repeat(1024)
  const fits = { attachmentMetadata: { a: 'b'.repeat(262_143) }, attachError: { message }, detachError: { message } }
  assert.deepEqual(told(fits), [])
  const long = { message: 'x'.repeat(1025) }
  const lines = ['attachmentMetadata', 'attachError.message', 'detachError.message'].map(
    field => `status.${field}: Too long: may not be more than 262144 bytes`,
  )
  assert.deepEqual(told({ attachmentMetadata: { a: 'b'.repeat(262_144) }, attachError: long, detachError: long }), [
    ...lines,
    ...lines,
  ])
})

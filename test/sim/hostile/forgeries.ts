// What a tenant may write on his objects so that they look like ours, or like another's. Each is a patch of the metadata, of an object that
// stands for something of another's; what it copies of that is looked up when it happens.

import { given } from '#base'
import { labels as identityLabels } from '#operators/identity/api'
import { annotations, type Resource } from '#operators/resources'
import { forceDelete } from '../../../src/operators/resources/kinds/s3/emptying.ts'

export interface Metadata {
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly object[]
}

export interface Forgery {
  readonly label: string
  /** Of the other's claim as it stands now. */
  of(victim: Resource, finalizer: string): Metadata
}

const note = (label: string, name: string, valueOf: (victim: Resource) => string | undefined): Forgery => ({
  label,
  of: victim => {
    const value = valueOf(victim)
    return value === undefined ? {} : { annotations: { [name]: value } }
  },
})

/** As the keys of a kind ask for them; one too many is no trouble. */
function fieldsOf({ spec = {}, status = {} }: Resource): string {
  const arn = status.ackResourceMetadata?.arn
  const texts = Object.entries({ ...spec, ...status }).filter(([, value]) => typeof value === 'string')
  return JSON.stringify({ ...Object.fromEntries(texts), ...given({ arn }) })
}

export const forgeries: readonly Forgery[] = [
  { label: 'our finalizer', of: (_, finalizer) => ({ finalizers: [finalizer] }) },
  note('adopted', annotations.adopted, () => 'true'),
  note('adopt', annotations.adoptionPolicy, () => 'adopt'),
  note('adopt-or-create', annotations.adoptionPolicy, () => 'adopt-or-create'),
  note('its fields', annotations.adoptionFields, fieldsOf),
  note('its intent', annotations.createIntent, ({ metadata }) => metadata.annotations?.[annotations.createIntent]),
  note('an intent', annotations.createIntent, () => '00000000-0000-4000-8000-000000000000 2026-01-01T00:00:00Z'),
  note('its uid as token', annotations.createIntent, ({ metadata }) => `${metadata.uid} 2026-01-01T00:00:00Z`),
  note('deletion-policy', annotations.deletionPolicy, () => 'delete'),
  note('force-delete', forceDelete, () => 'true'),
  note('allow-replace', annotations.allowReplace, () => 'true'),
  note('read-only', annotations.readOnly, () => 'true'),
  {
    label: 'its labels',
    of: ({ metadata }) => ({
      labels: { ...metadata.labels, [identityLabels.bindingUid]: metadata.uid, [identityLabels.configUid]: metadata.uid },
    }),
  },
  {
    label: 'its owner',
    of: ({ metadata, apiVersion, kind }) => ({
      ownerReferences: metadata.ownerReferences ?? [
        { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true },
      ],
    }),
  },
]

export function together(all: readonly Metadata[]): Metadata {
  const finalizers = all.flatMap(one => one.finalizers ?? [])
  const owners = all.flatMap(one => one.ownerReferences ?? [])
  return {
    annotations: Object.assign({}, ...all.map(one => one.annotations)) as Record<string, string>,
    labels: Object.assign({}, ...all.map(one => one.labels)) as Record<string, string>,
    ...(finalizers.length === 0 ? {} : { finalizers }),
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
  }
}

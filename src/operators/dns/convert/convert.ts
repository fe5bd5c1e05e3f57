// Objects from any version to any other, by way of one form that holds the fields of all. Never fails for a well-formed object, even one
// that nobody would accept; what a version cannot show rides along in an annotation, and comes back.
import type { KubeObject } from '#kube'
import { type ApiVersionName, annotations, group, isVersion } from '../api/names.ts'
import type { DnsSpec } from '../api/spec.ts'
import { type ConversionData, hashOf, parseConversionData, renderConversionData, restore, typesOf } from './conversion-data.ts'
import { isFields, split, type VisibleFields } from './visible.ts'

type Converted = KubeObject & { readonly spec?: unknown }

/** An object with all that is known of it. */
export interface Model {
  /** In which version it was written: some fields mean something else where they were left out of the newest. */
  readonly origin: ApiVersionName
  readonly spec: DnsSpec
}

export interface ConvertOptions {
  /** Told of an annotation that says nothing. */
  readonly onDamaged?: (object: KubeObject) => void
}

/** The version of an object of our group; undefined for any other. */
export function versionOf({ apiVersion }: Pick<KubeObject, 'apiVersion'>): ApiVersionName | undefined {
  const [itsGroup, version = ''] = apiVersion.split('/')
  return itsGroup === group && isVersion(version) ? version : undefined
}

export function convert(object: Converted, from: ApiVersionName, to: ApiVersionName, options: ConvertOptions = {}): KubeObject {
  if (from === to) return object
  const apiVersion = `${group}/${to}`
  if (!isFields(object.spec)) return { ...object, apiVersion }
  const whole = lift(object, from, object.spec, options)
  const { spec, data } = lower(whole, to)
  const { conversionData } = annotations
  const { [conversionData]: _old, ...others } = object.metadata?.annotations ?? {}
  const kept = data === undefined ? others : { ...others, [conversionData]: renderConversionData(data) }
  const { annotations: _annotations, ...metadata } = object.metadata ?? {}
  const withKept = Object.keys(kept).length === 0 && isEmptyOrAbsent(object, data) ? metadata : { ...metadata, annotations: kept }
  const converted: Converted = { ...object, apiVersion, metadata: withKept, spec }
  return converted
}

/** The object as the operator understands it. */
export function modelOf(object: Converted, options: ConvertOptions = {}): Model {
  const from = versionOf(object) ?? 'v1beta1'
  const { origin, spec } = lift(object, from, isFields(object.spec) ? object.spec : {}, options)
  return { origin, spec: isSpec(spec) ? spec : { provider: { type: '' }, source: { type: '' } } }
}

/** What every schema asks at least; anything else is looked at where it is used. */
function isSpec(spec: VisibleFields): spec is VisibleFields & DnsSpec {
  return isFields(spec.provider) && isFields(spec.source)
}

/** An annotations object that was empty stays; one that held nothing but our own line goes with it. */
function isEmptyOrAbsent({ metadata }: Converted, data: ConversionData | undefined): boolean {
  const held = metadata?.annotations
  return !isFields(held) || (data === undefined && annotations.conversionData in held)
}

interface Whole {
  readonly origin: ApiVersionName
  readonly spec: VisibleFields
  /** What an older version said, where the newest cannot say it: used when the object goes back there unchanged. */
  readonly before: ConversionData | undefined
}

function lift(object: Converted, from: ApiVersionName, shown: VisibleFields, { onDamaged }: ConvertOptions): Whole {
  const text = object.metadata?.annotations?.[annotations.conversionData]
  const data = text === undefined ? undefined : parseConversionData(text)
  if (text !== undefined && data === undefined) onDamaged?.(object)
  if (from === 'v1beta2') return { origin: originOf(shown, data), spec: withoutEmptyNames(shown), before: data }
  const restored = data === undefined ? shown : restore(shown, from, data)
  const spec = withoutEmptyNames(restored)
  return { origin: data?.v ?? from, spec, before: oldForm(spec, shown, from) }
}

/** Of an object that the newest version shows. What was written in an older one stays so while its source says nothing new. */
function originOf(spec: VisibleFields, data: ConversionData | undefined): ApiVersionName {
  if (data === undefined) return 'v1beta2'
  return hashOf(spec, 'v1beta2') === data.h || isBareService(spec) ? data.v : 'v1beta2'
}

function lower(
  { origin, spec, before }: Whole,
  to: ApiVersionName,
): { readonly spec: VisibleFields; readonly data: ConversionData | undefined } {
  if (to === 'v1beta2') {
    const f = before?.f ?? {}
    const isMarked = origin !== 'v1beta2' && (meansOtherwise(spec) || Object.keys(f).length > 0)
    return { spec, data: isMarked ? { v: origin, h: hashOf(spec, to), f } : undefined }
  }
  const asBefore = before?.v === to && before.h === hashOf(spec, 'v1beta2') ? before.f['/spec'] : undefined
  if (isFields(asBefore)) return { spec: asBefore, data: undefined }
  const { visible, saved } = split(spec, to)
  const shown = withEmptyNames(visible)
  const isMarked = Object.keys(saved).length > 0 || (origin === 'v1beta2' && meansOtherwise(spec))
  return { spec: shown, data: isMarked ? { v: origin, h: hashOf(shown, to), f: { ...typesOf(shown), ...saved } } : undefined }
}

/** Kept only where the way up and down again would say something else: names of Secrets that are missing where they are required. */
function oldForm(spec: VisibleFields, shown: VisibleFields, from: ApiVersionName): ConversionData | undefined {
  const again = withEmptyNames(split(spec, from).visible)
  if (hashOf(again, from) === hashOf(shown, from)) return undefined
  return { v: from, h: hashOf(spec, 'v1beta2'), f: { '/spec': shown } }
}

/** Sources that the newest version understands otherwise than those before it. */
function meansOtherwise(spec: VisibleFields): boolean {
  const type = isFields(spec.source) ? spec.source.type : undefined
  return isBareService(spec) || type === 'CRD' || type === 'Ingress' || type === 'GatewayHTTPRoute'
}

function isBareService({ source }: VisibleFields): boolean {
  return isFields(source) && source.type === 'Service' && source.service === undefined
}

/** Where each provider names its Secret, as far as the newest version lets it go without. */
const secretFields = [
  ['aws', 'credentials'],
  ['gcp', 'credentials'],
  ['azure', 'configFile'],
] as const

/** Older versions say "none" by an empty name, the newest by leaving it out. */
function withoutEmptyNames(spec: VisibleFields): VisibleFields {
  return mapProviders(spec, (held, field) => {
    const secret = held[field]
    if (!isFields(secret) || secret.name !== '' || Object.keys(secret).length > 1) return held
    const { [field]: _none, ...rest } = held
    return rest
  })
}

function withEmptyNames(spec: VisibleFields): VisibleFields {
  return mapProviders(spec, (held, field) => (held[field] === undefined ? { ...held, [field]: { name: '' } } : held))
}

function mapProviders(spec: VisibleFields, change: (held: VisibleFields, field: string) => VisibleFields): VisibleFields {
  const { provider } = spec
  if (!isFields(provider)) return spec
  let changed: VisibleFields = provider
  for (const [name, field] of secretFields) {
    const held = changed[name]
    if (isFields(held)) changed = { ...changed, [name]: change(held, field) }
  }
  return { ...spec, provider: changed }
}

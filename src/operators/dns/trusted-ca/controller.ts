// The trusted-CA controller: the bundle of authorities of the operator's namespace, where operands can mount it.
import { configMaps, type StoredObject } from '#kube'
import { type AnyController, defineController, emptyPlan, isEqualJson, type Plan } from '#runtime'
import { targetCaName } from '../api/names.ts'
import type { ConfigMapObject } from '../external-dns/seen.ts'
import type { DnsSettings } from '../settings.ts'

export const trustedCaControllerName = 'trusted-ca-configmap'

interface CaSeen {
  readonly source: ConfigMapObject | undefined
  readonly target: ConfigMapObject | undefined
  readonly operandNamespace: string
}

export function trustedCaController(settings: DnsSettings): AnyController {
  const { operatorNamespace, operandNamespace, trustedCaConfigMap: name } = settings
  return defineController<CaSeen>({
    name: trustedCaControllerName,
    claims: { type: configMaps, namespaces: [operatorNamespace], names: [name], apart: 'trusted-ca-source' },
    watches: [
      {
        type: configMaps,
        namespaces: [operandNamespace],
        names: [targetCaName],
        toClaims: () => [{ namespace: operatorNamespace, name }],
      },
    ],
    reconciler: {
      observe: async (_key, world, signal) => ({
        source: await world.read<ConfigMapObject>(configMaps, { namespace: operatorNamespace, name }, signal),
        target: world.find<ConfigMapObject>(configMaps, { namespace: operandNamespace, name: targetCaName }),
        operandNamespace,
      }),
      decide: decideTrustedCa,
    },
    status: { kind: 'none' },
  })
}

/** Without a source there is nothing to do, and what was copied stays. */
export function decideTrustedCa({ source, target, operandNamespace }: CaSeen): Plan {
  if (source === undefined) return emptyPlan
  if (source.metadata.namespace === operandNamespace && source.metadata.name === targetCaName) return emptyPlan
  const { data = {} } = source
  if (target === undefined) {
    const metadata = { namespace: operandNamespace, name: targetCaName }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    return { ...emptyPlan, actions: [{ kind: 'create', type: configMaps, object }] }
  }
  if (isEqualJson(target.data ?? {}, data)) return emptyPlan
  const object: StoredObject & { readonly data: typeof data } = { ...target, data }
  return { ...emptyPlan, actions: [{ kind: 'update', type: configMaps, object }] }
}

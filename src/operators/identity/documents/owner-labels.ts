// Labels of generated objects of the hub; the same keys and values are the tags of the AWS resources (§3.6). They are the owner
// mark: what carries another uid is not ours.
import type { Labels } from '#kube'
import type { ConfigSpec, DeliveryType } from '../api/kinds.ts'
import { labels, operatorName } from '../api/labels.ts'
import { ownerLabel } from '../names.ts'

interface Owner {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly uid: string }
}

/** Of what a Config owns: bucket, provider, signing Secret. */
export function configLabels({ metadata, spec }: Owner & { readonly spec: Pick<ConfigSpec, 'type'> }): Labels {
  return {
    [labels.managedBy]: operatorName,
    [labels.ownerRef]: ownerLabel({ namespace: metadata.namespace ?? '', name: metadata.name }),
    [labels.configUid]: metadata.uid,
    [labels.delivery]: spec.type,
  }
}

/** Of what a Role owns: role, policy, association. */
export function roleLabels(
  {
    metadata,
    spec,
  }: Owner & { readonly spec: { readonly serviceAccount: { readonly namespace: string; readonly name: string } } },
  delivery: DeliveryType,
): Labels {
  return {
    [labels.managedBy]: operatorName,
    [labels.ownerRef]: ownerLabel({ namespace: metadata.namespace ?? '', name: metadata.name }),
    [labels.bindingUid]: metadata.uid,
    [labels.serviceAccount]: ownerLabel(spec.serviceAccount),
    [labels.delivery]: delivery,
  }
}

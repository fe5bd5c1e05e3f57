// The definition of widgets, as the tests of this room want it: one version with the schema that matters, or any.
import type { KubeObject } from '#kube'

/** Objects of this path are widgets. */
export const widgets = '/apis/example.com/v1/namespaces/default/widgets'
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export const anySchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

export function widgetVersion(openAPIV3Schema: object, more: object = {}): object {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }
}

export function widgetDefinition(versions: readonly object[] = [widgetVersion(anySchema)], more: object = {}): KubeObject {
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions,
    ...more,
  }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec,
  }
  return definition
}

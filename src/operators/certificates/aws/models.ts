// The services as this operator calls them: ACM has learned one member since the model that is shipped.
import { extendedModel, onFirstUse, type ServiceModel, serviceModel } from '#aws'
import type { CloudService } from './call.ts'

const acm = onFirstUse(() =>
  extendedModel(serviceModel('acm'), {
    members: { CertificateOptions: { Export: { target: 'CertificateExport' } } },
    shapes: { CertificateExport: { type: 'string', enum: ['ENABLED', 'DISABLED'] } },
  }),
)

export function modelOf(service: CloudService): ServiceModel {
  return service === 'acm' ? acm() : serviceModel(service)
}

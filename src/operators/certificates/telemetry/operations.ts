// Names of operations as labels: a closed list, so that no text from outside makes a series.

const known = new Set([
  'RequestCertificate',
  'DescribeCertificate',
  'ListCertificates',
  'DeleteCertificate',
  'AddTagsToCertificate',
  'RemoveTagsFromCertificate',
  'ListTagsForCertificate',
  'UpdateCertificateOptions',
  'RenewCertificate',
  'ExportCertificate',
  'ChangeResourceRecordSets',
  'ListResourceRecordSets',
  'GetHostedZone',
  'GetChange',
])

export function operationLabel(operation: string): string {
  return known.has(operation) ? operation : 'other'
}

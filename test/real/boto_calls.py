"""Calls one operation after the other through boto3 and prints what came back, as one JSON object."""

import base64
import json
import ssl
import sys
import urllib.error
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, tls_endpoint, ca_file, key_id, secret = sys.argv[1:6]
config = Config(retries={"max_attempts": 0}, region_name="us-east-1")


def client(service, **more):
    given = {"endpoint_url": endpoint, "aws_access_key_id": key_id, "aws_secret_access_key": secret, "config": config}
    return boto3.client(service, **{**given, **more})


def refused(call):
    try:
        call()
    except ClientError as error:
        return [error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]]
    return "not refused"


trust = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Service": "pods.eks.amazonaws.com"},
                "Action": ["sts:AssumeRole", "sts:TagSession"],
            }
        ],
    }
)
results = {}

sts = client("sts")
results["identity"] = sts.get_caller_identity()["Account"]

iam = client("iam")
role = iam.create_role(RoleName="boto", AssumeRolePolicyDocument=trust, Tags=[{"Key": "a", "Value": "1"}])["Role"]
results["role"] = [role["Arn"], role["MaxSessionDuration"], iam.get_role(RoleName="boto")["Role"]["AssumeRolePolicyDocument"]]
results["role twice"] = refused(lambda: iam.create_role(RoleName="boto", AssumeRolePolicyDocument=trust))
results["roles by paginator"] = [
    one["RoleName"] for page in iam.get_paginator("list_roles").paginate(PaginationConfig={"PageSize": 1}) for one in page["Roles"]
]
try:
    client("iam").create_role(RoleName="x" * 65, AssumeRolePolicyDocument=trust)
except ClientError as error:
    results["long name"] = [error.response["Error"]["Code"], "less than or equal to 64" in error.response["Error"]["Message"]]

s3 = client("s3", endpoint_url=tls_endpoint, verify=ca_file)
s3.create_bucket(Bucket="boto-bucket")
body = bytes(range(256)) * 1000
s3.put_object(Bucket="boto-bucket", Key="dir/über +.bin", Body=body, ContentEncoding="gzip", ChecksumAlgorithm="CRC32")
got = s3.get_object(Bucket="boto-bucket", Key="dir/über +.bin")
results["object"] = [got["Body"].read() == body, got["ContentEncoding"], got["ResponseMetadata"]["HTTPHeaders"].get("x-amz-checksum-crc32") is not None]
results["listed"] = [one["Key"] for one in s3.list_objects_v2(Bucket="boto-bucket")["Contents"]]
v4 = client("s3", endpoint_url=tls_endpoint, verify=ca_file, config=config.merge(Config(signature_version="s3v4")))
results["presigned"] = v4.generate_presigned_url("get_object", Params={"Bucket": "boto-bucket", "Key": "dir/über +.bin"})
form = v4.generate_presigned_post("boto-bucket", "posted/${filename}", Conditions=[["content-length-range", 1, 10]])
parts = b"".join(
    f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in form["fields"].items()
)


def posted(content):
    file = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + content + b"\r\n--edge--\r\n"
    headers = {"content-type": "multipart/form-data; boundary=edge"}
    request = urllib.request.Request(form["url"], data=parts + file, headers=headers, method="POST")
    try:
        return urllib.request.urlopen(request, context=ssl.create_default_context(cafile=ca_file)).status
    except urllib.error.HTTPError as error:
        return error.code


results["posted"] = [posted(b"hello"), posted(b"much too long"), v4.get_object(Bucket="boto-bucket", Key="posted/a.txt")["Body"].read().decode()]
results["other region"] = refused(lambda: client("sts", region_name="mars", config=Config(retries={"max_attempts": 0})).get_caller_identity())
whole = v4.get_object(Bucket="boto-bucket", Key="posted/a.txt", PartNumber=1)
results["part"] = [whole["ContentRange"], refused(lambda: v4.get_object(Bucket="boto-bucket", Key="posted/a.txt", PartNumber=2))]
results["version"] = refused(lambda: v4.get_object(Bucket="boto-bucket", Key="posted/a.txt", VersionId="x"))
results["missing key"] = refused(lambda: s3.head_object(Bucket="boto-bucket", Key="absent"))
results["location"] = s3.get_bucket_location(Bucket="boto-bucket")["LocationConstraint"]
results["block"] = s3.get_public_access_block(Bucket="boto-bucket")["PublicAccessBlockConfiguration"]

route53 = client("route53")
zone = route53.create_hosted_zone(Name="boto.com", CallerReference="boto")["HostedZone"]["Id"]
change = {"Name": "*.boto.com", "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": "1.2.3.4"}]}
route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": [{"Action": "UPSERT", "ResourceRecordSet": change}]})
results["records"] = [
    [one["Name"], one["Type"]]
    for page in route53.get_paginator("list_resource_record_sets").paginate(HostedZoneId=zone)
    for one in page["ResourceRecordSets"]
]
results["zone not empty"] = refused(lambda: route53.delete_hosted_zone(Id=zone))

acm = client("acm")
arn = acm.request_certificate(DomainName="boto.com", ValidationMethod="DNS")["CertificateArn"]
record = acm.describe_certificate(CertificateArn=arn)["Certificate"]["DomainValidationOptions"][0]["ResourceRecord"]
validation = {"Name": record["Name"], "Type": record["Type"], "TTL": 60, "ResourceRecords": [{"Value": record["Value"]}]}
route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": [{"Action": "UPSERT", "ResourceRecordSet": validation}]})
acm.get_waiter("certificate_validated").wait(CertificateArn=arn, WaiterConfig={"Delay": 1, "MaxAttempts": 5})
results["certificate"] = acm.describe_certificate(CertificateArn=arn)["Certificate"]["Status"]

eks = client("eks")
eks.create_cluster(name="boto", roleArn=role["Arn"], resourcesVpcConfig={"subnetIds": ["subnet-1", "subnet-2"]})
eks.get_waiter("cluster_active").wait(name="boto", WaiterConfig={"Delay": 1, "MaxAttempts": 5})
association = {"clusterName": "boto", "namespace": "default", "serviceAccount": "app", "roleArn": role["Arn"]}
made = eks.create_pod_identity_association(**association)["association"]
results["association"] = [made["namespace"], made["serviceAccount"], made["roleArn"]]
results["association twice"] = refused(lambda: eks.create_pod_identity_association(**association))
eks.tag_resource(resourceArn=made["associationArn"], tags={"a": "1"})
results["tags"] = eks.list_tags_for_resource(resourceArn=made["associationArn"])["tags"]
results["eks auth without association"] = refused(
    lambda: client("eks-auth").assume_role_for_pod_identity(clusterName="boto", token="a." + base64.urlsafe_b64encode(b"{}").decode().rstrip("=") + ".c")
)

results["organization"] = client("organizations").describe_organization()["Organization"]["Id"]
results["quota"] = client("service-quotas").get_service_quota(ServiceCode="iam", QuotaCode="L-FE177D64")["Quota"]["Value"]
results["tagged"] = [one["ResourceARN"] for one in client("resourcegroupstaggingapi").get_resources(TagFilters=[{"Key": "a", "Values": ["1"]}])["ResourceTagMappingList"]]

print(json.dumps(results))

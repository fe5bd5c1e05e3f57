// The AWS SDK for Java as its users have it, told an address and nothing else (AWS_ENDPOINT_URL, credentials, region). "everything"
// makes calls of each service and does what a program does with roles, objects, records, certificates and clusters; "objects" is the
// part of it that is told apart by the transport; "pod" does what a pod does, with whatever its credential chain finds. Prints a line per step, "all done" at the end.
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.acm.AcmClient;
import software.amazon.awssdk.services.acm.model.CertificateStatus;
import software.amazon.awssdk.services.acm.model.ValidationMethod;
import software.amazon.awssdk.services.eks.EksClient;
import software.amazon.awssdk.services.eks.model.ClusterStatus;
import software.amazon.awssdk.services.eks.model.ResourceInUseException;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.NoSuchEntityException;
import software.amazon.awssdk.services.iam.model.Tag;
import software.amazon.awssdk.services.route53.Route53Client;
import software.amazon.awssdk.services.route53.model.Change;
import software.amazon.awssdk.services.route53.model.ChangeAction;
import software.amazon.awssdk.services.route53.model.ChangeStatus;
import software.amazon.awssdk.services.route53.model.InvalidChangeBatchException;
import software.amazon.awssdk.services.route53.model.RRType;
import software.amazon.awssdk.services.route53.model.ResourceRecordSet;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sts.StsClient;

public final class AwsSdk {
  private static final String ACCOUNT = "arn:aws:iam::123456789012:";

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "pod" -> pod(arguments[1]);
      case "objects" -> objects();
      case "everything" -> {
        identity();
        roles();
        objects();
        certificate(zone());
        cluster();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("all done");
  }

  /** May read its own bucket and nothing else, by credentials that nobody handed to this program. */
  private static void pod(String bucket) {
    try (StsClient sts = StsClient.create(); S3Client s3 = S3Client.create()) {
      System.out.println("as " + sts.getCallerIdentity().arn());
      expect("GetObject", s3.getObjectAsBytes(b -> b.bucket(bucket).key("k")).asUtf8String(), "v");
      expect("PutObject", refusal(() -> s3.putObject(b -> b.bucket(bucket).key("k"), RequestBody.fromString("w"))), "AccessDenied 403");
    }
  }

  private static void identity() {
    try (StsClient sts = StsClient.create()) {
      expect("GetCallerIdentity", sts.getCallerIdentity().arn(), ACCOUNT + "user/emulator-admin");
    }
  }

  private static void roles() {
    try (IamClient iam = IamClient.builder().build()) {
      for (String name : List.of("java-1", "java-2", "java-3")) {
        String arn = iam.createRole(b -> b.roleName(name).assumeRolePolicyDocument(trust("\"AWS\":\"123456789012\"")).description("a & <b>")
            .tags(Tag.builder().key("of").value("ümläut + tag").build())).role().arn();
        expect("CreateRole", arn, ACCOUNT + "role/" + name);
      }
      String names = iam.listRolesPaginator(b -> b.maxItems(2)).roles().stream().map(r -> r.roleName()).collect(Collectors.joining(" "));
      expect("ListRoles", names, "java-1 java-2 java-3");
      var role = iam.getRole(b -> b.roleName("java-1")).role();
      expect("GetRole", role.description() + role.tags().get(0).value(), "a & <b>ümläut + tag");
      expect("AttachRolePolicy", refusal(() -> iam.attachRolePolicy(b -> b.roleName("java-1").policyArn(ACCOUNT + "policy/none"))),
          "NoSuchEntity 404");
      for (String name : names.split(" ")) iam.deleteRole(b -> b.roleName(name));
      expectThrown("GetRole of none", NoSuchEntityException.class, () -> iam.getRole(b -> b.roleName("java-1")));
    }
  }

  private static void objects() throws Exception {
    try (S3Client s3 = S3Client.create()) {
      s3.createBucket(b -> b.bucket("java-bucket"));
      expect("BucketExists", s3.waiter().waitUntilBucketExists(b -> b.bucket("java-bucket")).matched().response().isPresent(), true);
      s3.putObject(b -> b.bucket("java-bucket").key("a/b c+ü").metadata(java.util.Map.of("Mine", "1")).contentEncoding("identity"),
          RequestBody.fromString("body"));
      var got = s3.getObjectAsBytes(b -> b.bucket("java-bucket").key("a/b c+ü").checksumMode(ChecksumMode.ENABLED));
      expect("GetObject", got.asUtf8String() + got.response().contentEncoding() + got.response().metadata(), "bodyidentity{mine=1}");
      var listed = s3.listObjectsV2Paginator(b -> b.bucket("java-bucket").maxKeys(1)).contents();
      expect("ListObjectsV2", listed.stream().map(S3Object::key).collect(Collectors.joining(" ")), "a/b c+ü");
      expectThrown("HeadObject of none", NoSuchKeyException.class, () -> s3.headObject(b -> b.bucket("java-bucket").key("none")));
      expectThrown("GetObject of none", NoSuchKeyException.class, () -> s3.getObject(b -> b.bucket("java-bucket").key("none")));
      expect("DeleteBucket", refusal(() -> s3.deleteBucket(b -> b.bucket("java-bucket"))), "BucketNotEmpty 409");
      s3.deleteObjects(b -> b.bucket("java-bucket").delete(d -> d.objects(o -> o.key("a/b c+ü"))));
    }
    checksums();
    presigned();
  }

  /** Every way in which the SDK says what the bytes of a body ought to be. */
  private static void checksums() {
    byte[] large = filled(300 * 1024 + 3);
    var said = new ContentHash();
    try (S3Client s3 = S3Client.builder().overrideConfiguration(c -> c.addExecutionInterceptor(said)).build();
        S3Client whole = S3Client.builder().serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build())
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .overrideConfiguration(c -> c.addExecutionInterceptor(said)).build()) {
      for (ChecksumAlgorithm algorithm : List.of(ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32_C, ChecksumAlgorithm.SHA1,
          ChecksumAlgorithm.SHA256)) {
        s3.putObject(b -> b.bucket("java-bucket").key("sums").checksumAlgorithm(algorithm),
            RequestBody.fromInputStream(new ByteArrayInputStream(large), large.length));
        var got = s3.getObjectAsBytes(b -> b.bucket("java-bucket").key("sums").checksumMode(ChecksumMode.ENABLED));
        expect("PutObject with " + algorithm, Arrays.equals(got.asByteArray(), large), true);
        System.out.println("body " + said.last);
      }
      whole.putObject(b -> b.bucket("java-bucket").key("sums"), RequestBody.fromBytes(large));
      expect("PutObject in one piece", whole.headObject(b -> b.bucket("java-bucket").key("sums")).contentLength(), (long) large.length);
      System.out.println("body " + said.last);
      multipart(s3);
      expect("PutObject with a wrong sum", refusal(() -> s3.putObject(
          b -> b.bucket("java-bucket").key("wrong").checksumCRC32("AAAAAA=="), RequestBody.fromString("x"))), "BadDigest 400");
      for (String key : List.of("sums", "parts")) s3.deleteObject(b -> b.bucket("java-bucket").key(key));
    }
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    return bytes;
  }

  private static void multipart(S3Client s3) {
    byte[] least = filled(5 * 1024 * 1024);
    String upload = s3.createMultipartUpload(
        b -> b.bucket("java-bucket").key("parts").checksumAlgorithm(ChecksumAlgorithm.SHA256)).uploadId();
    List<CompletedPart> parts = List.of(1, 2).stream().map(number -> {
      var part = s3.uploadPart(b -> b.bucket("java-bucket").key("parts").uploadId(upload).partNumber(number)
          .checksumAlgorithm(ChecksumAlgorithm.SHA256), RequestBody.fromBytes(number == 1 ? least : filled(7)));
      return CompletedPart.builder().partNumber(number).eTag(part.eTag()).checksumSHA256(part.checksumSHA256()).build();
    }).toList();
    s3.completeMultipartUpload(
        b -> b.bucket("java-bucket").key("parts").uploadId(upload).multipartUpload(m -> m.parts(parts)));
    expect("CompleteMultipartUpload", s3.headObject(b -> b.bucket("java-bucket").key("parts")).contentLength(), least.length + 7L);
  }

  private static void presigned() throws Exception {
    try (S3Presigner presigner = S3Presigner.create(); S3Client s3 = S3Client.create()) {
      URL put = presigner.presignPutObject(p -> p.signatureDuration(Duration.ofMinutes(5))
          .putObjectRequest(b -> b.bucket("java-bucket").key("signed é"))).url();
      expect("a presigned PUT", exchange(put, "PUT", "by link"), "200 ");
      URL get = presigner.presignGetObject(p -> p.signatureDuration(Duration.ofMinutes(5))
          .getObjectRequest(b -> b.bucket("java-bucket").key("signed é").responseContentType("text/plain"))).url();
      expect("a presigned GET", exchange(get, "GET", null), "200 by link");
      s3.deleteObject(b -> b.bucket("java-bucket").key("signed é"));
      s3.deleteBucket(b -> b.bucket("java-bucket"));
    }
  }

  private static String exchange(URL url, String method, String body) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod(method);
    if (body != null) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    int status = connection.getResponseCode();
    return status + " " + new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String zone() {
    try (Route53Client route53 = Route53Client.create()) {
      String id = route53.createHostedZone(b -> b.name("example.com").callerReference("java")).hostedZone().id();
      var text = recordSet("*.example.com", RRType.TXT, "\"a\" \"b\"");
      String change = change(route53, id, ChangeAction.CREATE, text);
      expect("ResourceRecordSetsChanged", route53.waiter().waitUntilResourceRecordSetsChanged(b -> b.id(change)).matched().response()
          .map(r -> r.changeInfo().status()).orElse(null), ChangeStatus.INSYNC);
      expectThrown("CREATE of what exists", InvalidChangeBatchException.class,
          () -> change(route53, id, ChangeAction.CREATE, text));
      var names = route53.listResourceRecordSetsPaginator(b -> b.hostedZoneId(id).maxItems("1")).resourceRecordSets().stream()
          .map(set -> set.name() + set.typeAsString()).collect(Collectors.joining(" "));
      expect("ListResourceRecordSets", names, "example.com.NS example.com.SOA \\052.example.com.TXT");
      change(route53, id, ChangeAction.DELETE, text);
      return id;
    }
  }

  private static void certificate(String zone) {
    try (AcmClient acm = AcmClient.create(); Route53Client route53 = Route53Client.create()) {
      String arn = acm.requestCertificate(b -> b.domainName("example.com").subjectAlternativeNames("*.example.com")
          .validationMethod(ValidationMethod.DNS).tags(t -> t.key("of").value("java"))).certificateArn();
      var wanted = acm.describeCertificate(b -> b.certificateArn(arn)).certificate().domainValidationOptions().get(0).resourceRecord();
      var proof = recordSet(wanted.name(), RRType.CNAME, wanted.value());
      change(route53, zone, ChangeAction.UPSERT, proof);
      expect("CertificateValidated", acm.waiter().waitUntilCertificateValidated(b -> b.certificateArn(arn)).matched().response()
          .map(r -> r.certificate().status()).orElse(null), CertificateStatus.ISSUED);
      expect("GetCertificate", acm.getCertificate(b -> b.certificateArn(arn)).certificate().startsWith("-----BEGIN CERTIFICATE"), true);
      expect("ListTagsForCertificate", acm.listTagsForCertificate(b -> b.certificateArn(arn)).tags().get(0).value(), "java");
      acm.deleteCertificate(b -> b.certificateArn(arn));
      expectThrown("DescribeCertificate of none", software.amazon.awssdk.services.acm.model.ResourceNotFoundException.class,
          () -> acm.describeCertificate(b -> b.certificateArn(arn)));
      expect("DeleteHostedZone", refusal(() -> route53.deleteHostedZone(b -> b.id(zone))), "HostedZoneNotEmpty 400");
      change(route53, zone, ChangeAction.DELETE, proof);
      route53.deleteHostedZone(b -> b.id(zone));
    }
  }

  private static void cluster() {
    try (EksClient eks = EksClient.create(); IamClient iam = IamClient.builder().build()) {
      String plane = iam.createRole(b -> b.roleName("plane")
          .assumeRolePolicyDocument(trust("\"Service\":\"eks.amazonaws.com\""))).role().arn();
      String app = iam.createRole(b -> b.roleName("java-app")
          .assumeRolePolicyDocument(trust("\"Service\":\"pods.eks.amazonaws.com\""))).role().arn();
      eks.createCluster(b -> b.name("java").roleArn(plane).resourcesVpcConfig(v -> v.subnetIds("subnet-1", "subnet-2")));
      expect("ClusterActive", eks.waiter().waitUntilClusterActive(b -> b.name("java")).matched().response()
          .map(r -> r.cluster().status()).orElse(null), ClusterStatus.ACTIVE);
      var made = eks.createPodIdentityAssociation(b -> b.clusterName("java").namespace("team").serviceAccount("app").roleArn(app))
          .association();
      expectThrown("a second association", ResourceInUseException.class, () -> eks.createPodIdentityAssociation(
          b -> b.clusterName("java").namespace("team").serviceAccount("app").roleArn(app)));
      eks.tagResource(b -> b.resourceArn(made.associationArn()).tags(java.util.Map.of("of", "java + co")));
      expect("ListTagsForResource", eks.listTagsForResource(b -> b.resourceArn(made.associationArn())).tags().get("of"), "java + co");
      expect("ListPodIdentityAssociations", eks.listPodIdentityAssociationsPaginator(b -> b.clusterName("java").maxResults(1))
          .associations().stream().count(), 1L);
      eks.deletePodIdentityAssociation(b -> b.clusterName("java").associationId(made.associationId()));
      eks.deleteCluster(b -> b.name("java"));
      for (String name : List.of("plane", "java-app")) iam.deleteRole(b -> b.roleName(name));
      expect("DescribeCluster of none", refusal(() -> eks.describeCluster(b -> b.name("none"))), "ResourceNotFoundException 404");
    }
  }

  private static ResourceRecordSet recordSet(String name, RRType type, String value) {
    return ResourceRecordSet.builder().name(name).type(type).ttl(60L).resourceRecords(r -> r.value(value)).build();
  }

  private static String change(Route53Client route53, String zone, ChangeAction action, ResourceRecordSet set) {
    var one = Change.builder().action(action).resourceRecordSet(set).build();
    return route53.changeResourceRecordSets(b -> b.hostedZoneId(zone).changeBatch(c -> c.changes(one))).changeInfo().id();
  }

  private static String trust(String principal) {
    return "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{" + principal
        + "},\"Action\":[\"sts:AssumeRole\",\"sts:TagSession\"]}]}";
  }

  private static String refusal(Supplier<?> call) {
    try {
      return "answered: " + call.get();
    } catch (AwsServiceException refused) {
      return refused.awsErrorDetails().errorCode() + " " + refused.statusCode();
    }
  }

  private static void expectThrown(String step, Class<?> type, Supplier<?> call) {
    try {
      call.get();
    } catch (AwsServiceException refused) {
      expect(step, refused.getClass(), type);
      return;
    }
    expect(step, "nothing thrown", type);
  }

  private static void expect(String step, Object met, Object wanted) {
    if (!wanted.equals(met)) {
      System.err.println(step + ": " + met + ", expected " + wanted);
      System.exit(1);
    }
    System.out.println("ok " + step);
  }

  /** What the signed request says of its body: a hash of it, or that it comes in chunks, signed or not, with a trailer. */
  private static final class ContentHash implements ExecutionInterceptor {
    private String last = "";

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
      String hash = context.httpRequest().firstMatchingHeader("x-amz-content-sha256").orElse("none");
      if (context.httpRequest().method().name().equals("PUT")) last = hash.length() == 64 ? "HASHED" : hash;
    }
  }
}

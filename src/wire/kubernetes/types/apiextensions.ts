import type { Types } from '../notation.ts';

/** Kinds that people add. */
export const apiextensions: Types = {
  CustomResourceColumnDefinition: `
    name! string
    type! string
    format string
    description string
    priority int32
    jsonPath! string`,
  CustomResourceConversion: `
    strategy! string
    webhook *WebhookConversion`,
  CustomResourceDefinition: `
    @kind @list
    spec! CustomResourceDefinitionSpec
    status CustomResourceDefinitionStatus`,
  CustomResourceDefinitionCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string
    observedGeneration int64`,
  CustomResourceDefinitionNames: `
    plural! string
    singular string
    shortNames []string atomic
    kind! string
    listKind string
    categories []string atomic`,
  CustomResourceDefinitionSpec: `
    group! string
    names! CustomResourceDefinitionNames
    scope! string
    versions! []CustomResourceDefinitionVersion atomic kept
    conversion *CustomResourceConversion
    preserveUnknownFields bool`,
  CustomResourceDefinitionStatus: `
    conditions []CustomResourceDefinitionCondition written by=type
    acceptedNames CustomResourceDefinitionNames written
    storedVersions []string written atomic
    observedGeneration int64`,
  CustomResourceDefinitionVersion: `
    name! string
    served! bool
    storage! bool
    deprecated bool
    deprecationWarning *string
    schema *CustomResourceValidation
    subresources *CustomResourceSubresources
    additionalPrinterColumns []CustomResourceColumnDefinition atomic
    selectableFields []SelectableField atomic`,
  CustomResourceSubresourceScale: `
    specReplicasPath! string
    statusReplicasPath! string
    labelSelectorPath *string`,
  CustomResourceSubresourceStatus: '',
  CustomResourceSubresources: `
    status *CustomResourceSubresourceStatus
    scale *CustomResourceSubresourceScale`,
  CustomResourceValidation: 'openAPIV3Schema *JSONSchemaProps',
  ExternalDocumentation: `
    description string
    url string`,
  FieldValueErrorReason: '@enum FieldValueDuplicate | FieldValueForbidden | FieldValueInvalid | FieldValueRequired',
  JSONSchemaProps: `
    id string
    $schema string
    $ref *string
    description string
    type string
    format string
    title string
    default *json
    maximum *double
    exclusiveMaximum bool
    minimum *double
    exclusiveMinimum bool
    maxLength *int64
    minLength *int64
    pattern string
    maxItems *int64
    minItems *int64
    uniqueItems bool
    multipleOf *double
    enum []json atomic
    maxProperties *int64
    minProperties *int64
    required []string atomic
    items *JSONSchemaPropsOrArray
    allOf []JSONSchemaProps atomic
    oneOf []JSONSchemaProps atomic
    anyOf []JSONSchemaProps atomic
    not *JSONSchemaProps
    properties {}JSONSchemaProps
    additionalProperties *JSONSchemaPropsOrBool
    patternProperties {}JSONSchemaProps
    dependencies {}JSONSchemaPropsOrStringArray
    additionalItems *JSONSchemaPropsOrBool
    definitions {}JSONSchemaProps
    externalDocs *ExternalDocumentation
    example *json
    nullable bool
    x-kubernetes-preserve-unknown-fields *bool
    x-kubernetes-embedded-resource bool
    x-kubernetes-int-or-string bool
    x-kubernetes-list-map-keys []string atomic
    x-kubernetes-list-type *string
    x-kubernetes-map-type *string
    x-kubernetes-validations []ValidationRule by=rule merge`,
  JSONSchemaPropsOrArray: '@either JSONSchemaProps | []JSONSchemaProps',
  JSONSchemaPropsOrBool: '@either JSONSchemaProps | bool',
  JSONSchemaPropsOrStringArray: '@either JSONSchemaProps | []string',
  SelectableField: 'jsonPath! string',
  ServiceReference: `
    namespace! string
    name! string
    path *string
    port *int32`,
  ValidationRule: `
    rule! string
    message string
    messageExpression string
    reason *FieldValueErrorReason
    fieldPath string
    optionalOldSelf *bool`,
  WebhookClientConfig: `
    url *string
    service *ServiceReference
    caBundle bytes`,
  WebhookConversion: `
    clientConfig *WebhookClientConfig
    conversionReviewVersions! []string atomic`,
};

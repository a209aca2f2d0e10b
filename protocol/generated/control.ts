// @ts-nocheck
// Written by protocol/generate-validators.ts from the schemas; do not edit.
"use strict";
export const is_status = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["op","abi"],"properties":{"op":{"const":"status"},"abi":{"const":"cortexfs.control/v1"}}};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "op") || (key0 === "abi"))){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("status" !== data.op){
validate10.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "status"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate10.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}

export const is_view_open = validate11;
const schema12 = {"type":"object","additionalProperties":false,"required":["op","abi","agent","session"],"properties":{"op":{"const":"view-open"},"abi":{"const":"cortexfs.control/v1"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"session":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"}}};
const pattern0 = new RegExp("^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.session === undefined) && (missing0 = "session"))){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "op") || (key0 === "abi")) || (key0 === "agent")) || (key0 === "session"))){
validate11.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("view-open" !== data.op){
validate11.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "view-open"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate11.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data2 = data.agent;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
validate11.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.session !== undefined){
let data3 = data.session;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern0.test(data3)){
validate11.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

export const is_agent_create = validate12;
const schema13 = {"type":"object","additionalProperties":false,"required":["op","abi","name"],"properties":{"op":{"const":"agent-create"},"abi":{"const":"cortexfs.control/v1"},"name":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"label":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},"model":{"type":"array","items":{"title":"model name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"},"maxItems":16},"tools":{"type":"array","items":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"maxItems":256},"shared":{"type":"object","maxProperties":64,"propertyNames":{"pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"additionalProperties":{"type":"array","items":{"enum":["read","write"]},"maxItems":2}},"mount":{"type":"array","items":{"type":"array","items":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},"minItems":3,"maxItems":4},"maxItems":64},"handoff":{"type":"string","pattern":"^[^\\u0000]{0,32768}$"},"life":{"enum":["owned","temp"]},"path":{"type":"array","items":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n:]{0,4094}$"},"maxItems":64},"cwd":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n]{0,4094}$"}}};
const func2 = Object.prototype.hasOwnProperty;
const pattern3 = new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$", "u");
const pattern4 = new RegExp("^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$", "u");
const pattern8 = new RegExp("^[^\\u0000]{0,32768}$", "u");
const pattern9 = new RegExp("^/[^\\u0000\\n:]{0,4094}$", "u");
const pattern10 = new RegExp("^/[^\\u0000\\n]{0,4094}$", "u");

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.name === undefined) && (missing0 = "name"))){
validate12.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema13.properties, key0))){
validate12.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("agent-create" !== data.op){
validate12.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "agent-create"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate12.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
validate12.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.label !== undefined){
let data3 = data.label;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern3.test(data3)){
validate12.errors = [{instancePath:instancePath+"/label",schemaPath:"#/properties/label/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/label",schemaPath:"#/properties/label/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
let data4 = data.model;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
if(data4.length > 16){
validate12.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxItems",keyword:"maxItems",params:{limit: 16},message:"must NOT have more than 16 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
validate12.errors = [{instancePath:instancePath+"/model/" + i0,schemaPath:"#/properties/model/items/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/model/" + i0,schemaPath:"#/properties/model/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
let data6 = data.tools;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data6)){
if(data6.length > 256){
validate12.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/maxItems",keyword:"maxItems",params:{limit: 256},message:"must NOT have more than 256 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
const _errs14 = errors;
if(errors === _errs14){
if(typeof data7 === "string"){
if(!pattern0.test(data7)){
validate12.errors = [{instancePath:instancePath+"/tools/" + i1,schemaPath:"#/properties/tools/items/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/tools/" + i1,schemaPath:"#/properties/tools/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs14 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shared !== undefined){
let data8 = data.shared;
const _errs16 = errors;
if(errors === _errs16){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(Object.keys(data8).length > 64){
validate12.errors = [{instancePath:instancePath+"/shared",schemaPath:"#/properties/shared/maxProperties",keyword:"maxProperties",params:{limit: 64},message:"must NOT have more than 64 properties"}];
return false;
}
else {
for(const key1 in data8){
const _errs18 = errors;
if(typeof key1 === "string"){
if(!pattern0.test(key1)){
const err0 = {instancePath:instancePath+"/shared",schemaPath:"#/properties/shared/propertyNames/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\"",propertyName:key1};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid3 = _errs18 === errors;
if(!valid3){
const err1 = {instancePath:instancePath+"/shared",schemaPath:"#/properties/shared/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate12.errors = vErrors;
return false;
break;
}
}
if(valid3){
for(const key2 in data8){
let data9 = data8[key2];
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data9)){
if(data9.length > 2){
validate12.errors = [{instancePath:instancePath+"/shared/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/shared/additionalProperties/maxItems",keyword:"maxItems",params:{limit: 2},message:"must NOT have more than 2 items"}];
return false;
}
else {
var valid5 = true;
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
const _errs22 = errors;
if(!((data10 === "read") || (data10 === "write"))){
validate12.errors = [{instancePath:instancePath+"/shared/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i2,schemaPath:"#/properties/shared/additionalProperties/items/enum",keyword:"enum",params:{allowedValues: schema13.properties.shared.additionalProperties.items.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid5 = _errs22 === errors;
if(!valid5){
break;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/shared/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/shared/additionalProperties/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid4 = _errs20 === errors;
if(!valid4){
break;
}
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/shared",schemaPath:"#/properties/shared/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mount !== undefined){
let data11 = data.mount;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data11)){
if(data11.length > 64){
validate12.errors = [{instancePath:instancePath+"/mount",schemaPath:"#/properties/mount/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid6 = true;
const len3 = data11.length;
for(let i3=0; i3<len3; i3++){
let data12 = data11[i3];
const _errs25 = errors;
if(errors === _errs25){
if(Array.isArray(data12)){
if(data12.length > 4){
validate12.errors = [{instancePath:instancePath+"/mount/" + i3,schemaPath:"#/properties/mount/items/maxItems",keyword:"maxItems",params:{limit: 4},message:"must NOT have more than 4 items"}];
return false;
}
else {
if(data12.length < 3){
validate12.errors = [{instancePath:instancePath+"/mount/" + i3,schemaPath:"#/properties/mount/items/minItems",keyword:"minItems",params:{limit: 3},message:"must NOT have fewer than 3 items"}];
return false;
}
else {
var valid7 = true;
const len4 = data12.length;
for(let i4=0; i4<len4; i4++){
let data13 = data12[i4];
const _errs27 = errors;
if(errors === _errs27){
if(typeof data13 === "string"){
if(!pattern3.test(data13)){
validate12.errors = [{instancePath:instancePath+"/mount/" + i3+"/" + i4,schemaPath:"#/properties/mount/items/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/mount/" + i3+"/" + i4,schemaPath:"#/properties/mount/items/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid7 = _errs27 === errors;
if(!valid7){
break;
}
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/mount/" + i3,schemaPath:"#/properties/mount/items/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid6 = _errs25 === errors;
if(!valid6){
break;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/mount",schemaPath:"#/properties/mount/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.handoff !== undefined){
let data14 = data.handoff;
const _errs29 = errors;
if(errors === _errs29){
if(typeof data14 === "string"){
if(!pattern8.test(data14)){
validate12.errors = [{instancePath:instancePath+"/handoff",schemaPath:"#/properties/handoff/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000]{0,32768}$"},message:"must match pattern \""+"^[^\\u0000]{0,32768}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/handoff",schemaPath:"#/properties/handoff/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.life !== undefined){
let data15 = data.life;
const _errs31 = errors;
if(!((data15 === "owned") || (data15 === "temp"))){
validate12.errors = [{instancePath:instancePath+"/life",schemaPath:"#/properties/life/enum",keyword:"enum",params:{allowedValues: schema13.properties.life.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data16 = data.path;
const _errs32 = errors;
if(errors === _errs32){
if(Array.isArray(data16)){
if(data16.length > 64){
validate12.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid8 = true;
const len5 = data16.length;
for(let i5=0; i5<len5; i5++){
let data17 = data16[i5];
const _errs34 = errors;
if(errors === _errs34){
if(typeof data17 === "string"){
if(!pattern9.test(data17)){
validate12.errors = [{instancePath:instancePath+"/path/" + i5,schemaPath:"#/properties/path/items/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n:]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n:]{0,4094}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/path/" + i5,schemaPath:"#/properties/path/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid8 = _errs34 === errors;
if(!valid8){
break;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.cwd !== undefined){
let data18 = data.cwd;
const _errs36 = errors;
if(errors === _errs36){
if(typeof data18 === "string"){
if(!pattern10.test(data18)){
validate12.errors = [{instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n]{0,4094}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}

export const is_agent_remove = validate13;
const schema14 = {"type":"object","additionalProperties":false,"required":["op","abi","agent"],"properties":{"op":{"const":"agent-remove"},"abi":{"const":"cortexfs.control/v1"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"}}};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.agent === undefined) && (missing0 = "agent"))){
validate13.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "op") || (key0 === "abi")) || (key0 === "agent"))){
validate13.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("agent-remove" !== data.op){
validate13.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "agent-remove"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate13.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data2 = data.agent;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
validate13.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate13.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate13.errors = vErrors;
return errors === 0;
}

export const is_agent_chown = validate14;
const schema15 = {"type":"object","additionalProperties":false,"required":["op","abi","agent","uid","gid"],"properties":{"op":{"const":"agent-chown"},"abi":{"const":"cortexfs.control/v1"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"uid":{"title":"uid or gid","type":"integer","minimum":0,"maximum":4294967294},"gid":{"title":"uid or gid","type":"integer","minimum":0,"maximum":4294967294}}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.uid === undefined) && (missing0 = "uid"))) || ((data.gid === undefined) && (missing0 = "gid"))){
validate14.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "op") || (key0 === "abi")) || (key0 === "agent")) || (key0 === "uid")) || (key0 === "gid"))){
validate14.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("agent-chown" !== data.op){
validate14.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "agent-chown"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate14.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data2 = data.agent;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
validate14.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.uid !== undefined){
let data3 = data.uid;
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate14.errors = [{instancePath:instancePath+"/uid",schemaPath:"#/properties/uid/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 4294967294 || isNaN(data3)){
validate14.errors = [{instancePath:instancePath+"/uid",schemaPath:"#/properties/uid/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967294},message:"must be <= 4294967294"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate14.errors = [{instancePath:instancePath+"/uid",schemaPath:"#/properties/uid/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gid !== undefined){
let data4 = data.gid;
const _errs8 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate14.errors = [{instancePath:instancePath+"/gid",schemaPath:"#/properties/gid/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 4294967294 || isNaN(data4)){
validate14.errors = [{instancePath:instancePath+"/gid",schemaPath:"#/properties/gid/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967294},message:"must be <= 4294967294"}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate14.errors = [{instancePath:instancePath+"/gid",schemaPath:"#/properties/gid/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}

export const is_object_install = validate15;
const schema16 = {"type":"object","additionalProperties":false,"required":["op","abi","tier","size"],"properties":{"op":{"const":"object-install"},"abi":{"const":"cortexfs.control/v1"},"tier":{"enum":["system","user"]},"size":{"type":"integer","minimum":0,"maximum":67108864}}};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.tier === undefined) && (missing0 = "tier"))) || ((data.size === undefined) && (missing0 = "size"))){
validate15.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "op") || (key0 === "abi")) || (key0 === "tier")) || (key0 === "size"))){
validate15.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("object-install" !== data.op){
validate15.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "object-install"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate15.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tier !== undefined){
let data2 = data.tier;
const _errs4 = errors;
if(!((data2 === "system") || (data2 === "user"))){
validate15.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/enum",keyword:"enum",params:{allowedValues: schema16.properties.tier.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.size !== undefined){
let data3 = data.size;
const _errs5 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate15.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 67108864 || isNaN(data3)){
validate15.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/maximum",keyword:"maximum",params:{comparison: "<=", limit: 67108864},message:"must be <= 67108864"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate15.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate15.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate15.errors = vErrors;
return errors === 0;
}

export const is_object_replace = validate16;
const schema17 = {"type":"object","additionalProperties":false,"required":["op","abi","tier","size"],"properties":{"op":{"const":"object-replace"},"abi":{"const":"cortexfs.control/v1"},"tier":{"enum":["system","user"]},"size":{"type":"integer","minimum":0,"maximum":67108864}}};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.tier === undefined) && (missing0 = "tier"))) || ((data.size === undefined) && (missing0 = "size"))){
validate16.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "op") || (key0 === "abi")) || (key0 === "tier")) || (key0 === "size"))){
validate16.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("object-replace" !== data.op){
validate16.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "object-replace"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate16.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tier !== undefined){
let data2 = data.tier;
const _errs4 = errors;
if(!((data2 === "system") || (data2 === "user"))){
validate16.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/enum",keyword:"enum",params:{allowedValues: schema17.properties.tier.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.size !== undefined){
let data3 = data.size;
const _errs5 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate16.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 67108864 || isNaN(data3)){
validate16.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/maximum",keyword:"maximum",params:{comparison: "<=", limit: 67108864},message:"must be <= 67108864"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate16.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate16.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate16.errors = vErrors;
return errors === 0;
}

export const is_object_uninstall = validate17;
const schema18 = {"type":"object","additionalProperties":false,"required":["op","abi","class","name","tier"],"properties":{"op":{"const":"object-uninstall"},"abi":{"const":"cortexfs.control/v1"},"class":{"enum":["agent","tool","model"]},"name":{"title":"model name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"},"tier":{"enum":["system","user"]}}};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.class === undefined) && (missing0 = "class"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.tier === undefined) && (missing0 = "tier"))){
validate17.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "op") || (key0 === "abi")) || (key0 === "class")) || (key0 === "name")) || (key0 === "tier"))){
validate17.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("object-uninstall" !== data.op){
validate17.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "object-uninstall"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate17.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.class !== undefined){
let data2 = data.class;
const _errs4 = errors;
if(!(((data2 === "agent") || (data2 === "tool")) || (data2 === "model"))){
validate17.errors = [{instancePath:instancePath+"/class",schemaPath:"#/properties/class/enum",keyword:"enum",params:{allowedValues: schema18.properties.class.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data3 = data.name;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
validate17.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:/(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63})?$"+"\""}];
return false;
}
}
else {
validate17.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tier !== undefined){
let data4 = data.tier;
const _errs7 = errors;
if(!((data4 === "system") || (data4 === "user"))){
validate17.errors = [{instancePath:instancePath+"/tier",schemaPath:"#/properties/tier/enum",keyword:"enum",params:{allowedValues: schema18.properties.tier.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate17.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate17.errors = vErrors;
return errors === 0;
}

export const is_bootstrap = validate18;
const schema19 = {"type":"object","additionalProperties":false,"required":["op","abi","mode","size"],"properties":{"op":{"const":"bootstrap"},"abi":{"const":"cortexfs.control/v1"},"mode":{"enum":["apply","check","dry-run"]},"owner":{"title":"uid or gid","type":"integer","minimum":0,"maximum":4294967294},"size":{"type":"integer","minimum":0,"maximum":67108864}}};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.mode === undefined) && (missing0 = "mode"))) || ((data.size === undefined) && (missing0 = "size"))){
validate18.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "op") || (key0 === "abi")) || (key0 === "mode")) || (key0 === "owner")) || (key0 === "size"))){
validate18.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("bootstrap" !== data.op){
validate18.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "bootstrap"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate18.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mode !== undefined){
let data2 = data.mode;
const _errs4 = errors;
if(!(((data2 === "apply") || (data2 === "check")) || (data2 === "dry-run"))){
validate18.errors = [{instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema19.properties.mode.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.owner !== undefined){
let data3 = data.owner;
const _errs5 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate18.errors = [{instancePath:instancePath+"/owner",schemaPath:"#/properties/owner/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 4294967294 || isNaN(data3)){
validate18.errors = [{instancePath:instancePath+"/owner",schemaPath:"#/properties/owner/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4294967294},message:"must be <= 4294967294"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate18.errors = [{instancePath:instancePath+"/owner",schemaPath:"#/properties/owner/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.size !== undefined){
let data4 = data.size;
const _errs7 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate18.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs7){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 67108864 || isNaN(data4)){
validate18.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/maximum",keyword:"maximum",params:{comparison: "<=", limit: 67108864},message:"must be <= 67108864"}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate18.errors = [{instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate18.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate18.errors = vErrors;
return errors === 0;
}

export const is_decide = validate19;
const schema20 = {"type":"object","additionalProperties":false,"required":["op","abi","pid","starttime","class","object","permission"],"properties":{"op":{"const":"decide"},"abi":{"const":"cortexfs.control/v1"},"pid":{"type":"integer","minimum":1,"maximum":4194304},"starttime":{"type":"integer","minimum":0,"maximum":999999999999999},"class":{"enum":["tool","model","shared","session","mount","agent","network"]},"object":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},"permission":{"enum":["execute","use","read","write","resume","create","start","stop","connect"]}}};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.pid === undefined) && (missing0 = "pid"))) || ((data.starttime === undefined) && (missing0 = "starttime"))) || ((data.class === undefined) && (missing0 = "class"))) || ((data.object === undefined) && (missing0 = "object"))) || ((data.permission === undefined) && (missing0 = "permission"))){
validate19.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "op") || (key0 === "abi")) || (key0 === "pid")) || (key0 === "starttime")) || (key0 === "class")) || (key0 === "object")) || (key0 === "permission"))){
validate19.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("decide" !== data.op){
validate19.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "decide"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.abi !== undefined){
const _errs3 = errors;
if("cortexfs.control/v1" !== data.abi){
validate19.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.control/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pid !== undefined){
let data2 = data.pid;
const _errs4 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate19.errors = [{instancePath:instancePath+"/pid",schemaPath:"#/properties/pid/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 4194304 || isNaN(data2)){
validate19.errors = [{instancePath:instancePath+"/pid",schemaPath:"#/properties/pid/maximum",keyword:"maximum",params:{comparison: "<=", limit: 4194304},message:"must be <= 4194304"}];
return false;
}
else {
if(data2 < 1 || isNaN(data2)){
validate19.errors = [{instancePath:instancePath+"/pid",schemaPath:"#/properties/pid/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.starttime !== undefined){
let data3 = data.starttime;
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate19.errors = [{instancePath:instancePath+"/starttime",schemaPath:"#/properties/starttime/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 999999999999999 || isNaN(data3)){
validate19.errors = [{instancePath:instancePath+"/starttime",schemaPath:"#/properties/starttime/maximum",keyword:"maximum",params:{comparison: "<=", limit: 999999999999999},message:"must be <= 999999999999999"}];
return false;
}
else {
if(data3 < 0 || isNaN(data3)){
validate19.errors = [{instancePath:instancePath+"/starttime",schemaPath:"#/properties/starttime/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.class !== undefined){
let data4 = data.class;
const _errs8 = errors;
if(!(((((((data4 === "tool") || (data4 === "model")) || (data4 === "shared")) || (data4 === "session")) || (data4 === "mount")) || (data4 === "agent")) || (data4 === "network"))){
validate19.errors = [{instancePath:instancePath+"/class",schemaPath:"#/properties/class/enum",keyword:"enum",params:{allowedValues: schema20.properties.class.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.object !== undefined){
let data5 = data.object;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
validate19.errors = [{instancePath:instancePath+"/object",schemaPath:"#/properties/object/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"+"\""}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/object",schemaPath:"#/properties/object/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.permission !== undefined){
let data6 = data.permission;
const _errs11 = errors;
if(!(((((((((data6 === "execute") || (data6 === "use")) || (data6 === "read")) || (data6 === "write")) || (data6 === "resume")) || (data6 === "create")) || (data6 === "start")) || (data6 === "stop")) || (data6 === "connect"))){
validate19.errors = [{instancePath:instancePath+"/permission",schemaPath:"#/properties/permission/enum",keyword:"enum",params:{allowedValues: schema20.properties.permission.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate19.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate19.errors = vErrors;
return errors === 0;
}

export const is_data = validate20;
const schema21 = {"type":"object","additionalProperties":false,"required":["op","data_b64"],"properties":{"op":{"const":"data"},"data_b64":{"type":"string","pattern":"^(?=.{4,65472}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkos048]=)?$"}}};
const pattern15 = new RegExp("^(?=.{4,65472}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkos048]=)?$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.op === undefined) && (missing0 = "op")) || ((data.data_b64 === undefined) && (missing0 = "data_b64"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "op") || (key0 === "data_b64"))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("data" !== data.op){
validate20.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "data"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data_b64 !== undefined){
let data1 = data.data_b64;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern15.test(data1)){
validate20.errors = [{instancePath:instancePath+"/data_b64",schemaPath:"#/properties/data_b64/pattern",keyword:"pattern",params:{pattern: "^(?=.{4,65472}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkos048]=)?$"},message:"must match pattern \""+"^(?=.{4,65472}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkos048]=)?$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/data_b64",schemaPath:"#/properties/data_b64/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}

export const is_status_report = validate21;
const schema22 = {"type":"object","additionalProperties":false,"required":["type","version","mount","storage","since","views","requests","errors"],"properties":{"type":{"const":"status-report"},"version":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},"mount":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n]{0,4094}$"},"storage":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n]{0,4094}$"},"since":{"type":"string","pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},"views":{"type":"integer","minimum":0,"maximum":9007199254740991},"requests":{"type":"integer","minimum":0,"maximum":9007199254740991},"errors":{"type":"integer","minimum":0,"maximum":9007199254740991}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.type === undefined) && (missing0 = "type")) || ((data.version === undefined) && (missing0 = "version"))) || ((data.mount === undefined) && (missing0 = "mount"))) || ((data.storage === undefined) && (missing0 = "storage"))) || ((data.since === undefined) && (missing0 = "since"))) || ((data.views === undefined) && (missing0 = "views"))) || ((data.requests === undefined) && (missing0 = "requests"))) || ((data.errors === undefined) && (missing0 = "errors"))){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "type") || (key0 === "version")) || (key0 === "mount")) || (key0 === "storage")) || (key0 === "since")) || (key0 === "views")) || (key0 === "requests")) || (key0 === "errors"))){
validate21.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("status-report" !== data.type){
validate21.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "status-report"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data1 = data.version;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern3.test(data1)){
validate21.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mount !== undefined){
let data2 = data.mount;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern10.test(data2)){
validate21.errors = [{instancePath:instancePath+"/mount",schemaPath:"#/properties/mount/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n]{0,4094}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/mount",schemaPath:"#/properties/mount/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.storage !== undefined){
let data3 = data.storage;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(!pattern10.test(data3)){
validate21.errors = [{instancePath:instancePath+"/storage",schemaPath:"#/properties/storage/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n]{0,4094}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/storage",schemaPath:"#/properties/storage/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.since !== undefined){
let data4 = data.since;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data4 === "string"){
if(!pattern3.test(data4)){
validate21.errors = [{instancePath:instancePath+"/since",schemaPath:"#/properties/since/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"},message:"must match pattern \""+"^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/since",schemaPath:"#/properties/since/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.views !== undefined){
let data5 = data.views;
const _errs11 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate21.errors = [{instancePath:instancePath+"/views",schemaPath:"#/properties/views/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs11){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 9007199254740991 || isNaN(data5)){
validate21.errors = [{instancePath:instancePath+"/views",schemaPath:"#/properties/views/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data5 < 0 || isNaN(data5)){
validate21.errors = [{instancePath:instancePath+"/views",schemaPath:"#/properties/views/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.requests !== undefined){
let data6 = data.requests;
const _errs13 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate21.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
validate21.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate21.errors = [{instancePath:instancePath+"/requests",schemaPath:"#/properties/requests/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data7 = data.errors;
const _errs15 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate21.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
validate21.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate21.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}

export const is_view = validate22;
const schema23 = {"type":"object","additionalProperties":false,"required":["type","path","id","launch"],"properties":{"type":{"const":"view"},"path":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n]{0,4094}$"},"id":{"type":"integer","minimum":0,"maximum":9007199254740991},"launch":{"type":"object","additionalProperties":false,"required":["perm","mounts","env","path","cwd","network","policy_sha256"],"properties":{"perm":{"type":"string","pattern":"^[r-][w-][x-]$"},"mounts":{"type":"array","items":{"type":"string","pattern":"^[^\\u0000\\n]{1,8192}$"},"maxItems":64},"env":{"type":"array","items":{"type":"string","pattern":"^[^\\u0000\\n]{1,8192}$"},"maxItems":256},"path":{"type":"array","items":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n:]{0,4094}$"},"maxItems":64},"cwd":{"title":"absolute path","type":"string","pattern":"^/[^\\u0000\\n]{0,4094}$"},"network":{"type":"boolean"},"policy_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}}}};
const pattern21 = new RegExp("^[r-][w-][x-]$", "u");
const pattern22 = new RegExp("^[^\\u0000\\n]{1,8192}$", "u");
const pattern26 = new RegExp("^[0-9a-f]{64}$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.type === undefined) && (missing0 = "type")) || ((data.path === undefined) && (missing0 = "path"))) || ((data.id === undefined) && (missing0 = "id"))) || ((data.launch === undefined) && (missing0 = "launch"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "type") || (key0 === "path")) || (key0 === "id")) || (key0 === "launch"))){
validate22.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("view" !== data.type){
validate22.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "view"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
let data1 = data.path;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern10.test(data1)){
validate22.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n]{0,4094}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data2 = data.id;
const _errs5 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate22.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
validate22.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data2 < 0 || isNaN(data2)){
validate22.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.launch !== undefined){
let data3 = data.launch;
const _errs7 = errors;
if(errors === _errs7){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((((((((data3.perm === undefined) && (missing1 = "perm")) || ((data3.mounts === undefined) && (missing1 = "mounts"))) || ((data3.env === undefined) && (missing1 = "env"))) || ((data3.path === undefined) && (missing1 = "path"))) || ((data3.cwd === undefined) && (missing1 = "cwd"))) || ((data3.network === undefined) && (missing1 = "network"))) || ((data3.policy_sha256 === undefined) && (missing1 = "policy_sha256"))){
validate22.errors = [{instancePath:instancePath+"/launch",schemaPath:"#/properties/launch/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs9 = errors;
for(const key1 in data3){
if(!(((((((key1 === "perm") || (key1 === "mounts")) || (key1 === "env")) || (key1 === "path")) || (key1 === "cwd")) || (key1 === "network")) || (key1 === "policy_sha256"))){
validate22.errors = [{instancePath:instancePath+"/launch",schemaPath:"#/properties/launch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs9 === errors){
if(data3.perm !== undefined){
let data4 = data3.perm;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(!pattern21.test(data4)){
validate22.errors = [{instancePath:instancePath+"/launch/perm",schemaPath:"#/properties/launch/properties/perm/pattern",keyword:"pattern",params:{pattern: "^[r-][w-][x-]$"},message:"must match pattern \""+"^[r-][w-][x-]$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/perm",schemaPath:"#/properties/launch/properties/perm/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.mounts !== undefined){
let data5 = data3.mounts;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data5)){
if(data5.length > 64){
validate22.errors = [{instancePath:instancePath+"/launch/mounts",schemaPath:"#/properties/launch/properties/mounts/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
const _errs14 = errors;
if(errors === _errs14){
if(typeof data6 === "string"){
if(!pattern22.test(data6)){
validate22.errors = [{instancePath:instancePath+"/launch/mounts/" + i0,schemaPath:"#/properties/launch/properties/mounts/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000\\n]{1,8192}$"},message:"must match pattern \""+"^[^\\u0000\\n]{1,8192}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/mounts/" + i0,schemaPath:"#/properties/launch/properties/mounts/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs14 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/mounts",schemaPath:"#/properties/launch/properties/mounts/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.env !== undefined){
let data7 = data3.env;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data7)){
if(data7.length > 256){
validate22.errors = [{instancePath:instancePath+"/launch/env",schemaPath:"#/properties/launch/properties/env/maxItems",keyword:"maxItems",params:{limit: 256},message:"must NOT have more than 256 items"}];
return false;
}
else {
var valid3 = true;
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
let data8 = data7[i1];
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(!pattern22.test(data8)){
validate22.errors = [{instancePath:instancePath+"/launch/env/" + i1,schemaPath:"#/properties/launch/properties/env/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000\\n]{1,8192}$"},message:"must match pattern \""+"^[^\\u0000\\n]{1,8192}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/env/" + i1,schemaPath:"#/properties/launch/properties/env/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs18 === errors;
if(!valid3){
break;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/env",schemaPath:"#/properties/launch/properties/env/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs16 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.path !== undefined){
let data9 = data3.path;
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data9)){
if(data9.length > 64){
validate22.errors = [{instancePath:instancePath+"/launch/path",schemaPath:"#/properties/launch/properties/path/maxItems",keyword:"maxItems",params:{limit: 64},message:"must NOT have more than 64 items"}];
return false;
}
else {
var valid4 = true;
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
const _errs22 = errors;
if(errors === _errs22){
if(typeof data10 === "string"){
if(!pattern9.test(data10)){
validate22.errors = [{instancePath:instancePath+"/launch/path/" + i2,schemaPath:"#/properties/launch/properties/path/items/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n:]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n:]{0,4094}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/path/" + i2,schemaPath:"#/properties/launch/properties/path/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs22 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/path",schemaPath:"#/properties/launch/properties/path/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs20 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.cwd !== undefined){
let data11 = data3.cwd;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data11 === "string"){
if(!pattern10.test(data11)){
validate22.errors = [{instancePath:instancePath+"/launch/cwd",schemaPath:"#/properties/launch/properties/cwd/pattern",keyword:"pattern",params:{pattern: "^/[^\\u0000\\n]{0,4094}$"},message:"must match pattern \""+"^/[^\\u0000\\n]{0,4094}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/cwd",schemaPath:"#/properties/launch/properties/cwd/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs24 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.network !== undefined){
const _errs26 = errors;
if(typeof data3.network !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/launch/network",schemaPath:"#/properties/launch/properties/network/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid1 = _errs26 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.policy_sha256 !== undefined){
let data13 = data3.policy_sha256;
const _errs28 = errors;
if(errors === _errs28){
if(typeof data13 === "string"){
if(!pattern26.test(data13)){
validate22.errors = [{instancePath:instancePath+"/launch/policy_sha256",schemaPath:"#/properties/launch/properties/policy_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch/policy_sha256",schemaPath:"#/properties/launch/properties/policy_sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs28 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/launch",schemaPath:"#/properties/launch/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}

export const is_decision = validate23;
const schema24 = {"type":"object","additionalProperties":false,"required":["type","allow"],"properties":{"type":{"const":"decision"},"allow":{"type":"boolean"},"layer":{"type":"string","pattern":"^[a-z ]{1,64}$"}}};
const pattern27 = new RegExp("^[a-z ]{1,64}$", "u");

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.allow === undefined) && (missing0 = "allow"))){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "allow")) || (key0 === "layer"))){
validate23.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("decision" !== data.type){
validate23.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "decision"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allow !== undefined){
const _errs3 = errors;
if(typeof data.allow !== "boolean"){
validate23.errors = [{instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.layer !== undefined){
let data2 = data.layer;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern27.test(data2)){
validate23.errors = [{instancePath:instancePath+"/layer",schemaPath:"#/properties/layer/pattern",keyword:"pattern",params:{pattern: "^[a-z ]{1,64}$"},message:"must match pattern \""+"^[a-z ]{1,64}$"+"\""}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/layer",schemaPath:"#/properties/layer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}

export const is_done = validate24;
const schema25 = {"type":"object","additionalProperties":false,"required":["type"],"properties":{"type":{"const":"done"}}};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "type")){
validate24.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
if("done" !== data.type){
validate24.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "done"},message:"must be equal to constant"}];
return false;
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}

export const is_error = validate25;
const schema26 = {"type":"object","additionalProperties":false,"required":["type","code","message"],"properties":{"type":{"const":"error"},"code":{"enum":["EACCES","EAGAIN","EALREADY","EBUSY","ECONNREFUSED","EEXIST","EHOSTDOWN","EINTR","EINVAL","EIO","EMSGSIZE","ENOENT","ENOSPC","ENOSYS","EROFS","ETIMEDOUT"]},"message":{"type":"string","pattern":"^[\\s\\S]{1,1024}$"}}};
const pattern28 = new RegExp("^[\\s\\S]{1,1024}$", "u");

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.code === undefined) && (missing0 = "code"))) || ((data.message === undefined) && (missing0 = "message"))){
validate25.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "code")) || (key0 === "message"))){
validate25.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("error" !== data.type){
validate25.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "error"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
let data1 = data.code;
const _errs3 = errors;
if(!((((((((((((((((data1 === "EACCES") || (data1 === "EAGAIN")) || (data1 === "EALREADY")) || (data1 === "EBUSY")) || (data1 === "ECONNREFUSED")) || (data1 === "EEXIST")) || (data1 === "EHOSTDOWN")) || (data1 === "EINTR")) || (data1 === "EINVAL")) || (data1 === "EIO")) || (data1 === "EMSGSIZE")) || (data1 === "ENOENT")) || (data1 === "ENOSPC")) || (data1 === "ENOSYS")) || (data1 === "EROFS")) || (data1 === "ETIMEDOUT"))){
validate25.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schema26.properties.code.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern28.test(data2)){
validate25.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/pattern",keyword:"pattern",params:{pattern: "^[\\s\\S]{1,1024}$"},message:"must match pattern \""+"^[\\s\\S]{1,1024}$"+"\""}];
return false;
}
}
else {
validate25.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate25.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate25.errors = vErrors;
return errors === 0;
}

import type { Validate } from "../definition.ts";
export const validators: Readonly<Record<string, Validate>> = {
  "status": is_status,
  "view-open": is_view_open,
  "agent-create": is_agent_create,
  "agent-remove": is_agent_remove,
  "agent-chown": is_agent_chown,
  "object-install": is_object_install,
  "object-replace": is_object_replace,
  "object-uninstall": is_object_uninstall,
  "bootstrap": is_bootstrap,
  "decide": is_decide,
  "data": is_data,
  "status-report": is_status_report,
  "view": is_view,
  "decision": is_decision,
  "done": is_done,
  "error": is_error,
};

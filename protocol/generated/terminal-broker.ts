// @ts-nocheck
// Written by protocol/generate-validators.ts from the schemas; do not edit.
"use strict";
export const is_register = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["op","abi","agent","session","unit"],"properties":{"op":{"const":"register"},"abi":{"const":"cortexfs.terminal-broker/v1"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"session":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"unit":{"title":"unit name","type":"string","pattern":"^[A-Za-z0-9:._-]{1,247}\\.service$"}}};
const pattern0 = new RegExp("^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$", "u");
const pattern2 = new RegExp("^[A-Za-z0-9:._-]{1,247}\\.service$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.session === undefined) && (missing0 = "session"))) || ((data.unit === undefined) && (missing0 = "unit"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "op") || (key0 === "abi")) || (key0 === "agent")) || (key0 === "session")) || (key0 === "unit"))){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("register" !== data.op){
validate10.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "register"},message:"must be equal to constant"}];
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
if("cortexfs.terminal-broker/v1" !== data.abi){
validate10.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.terminal-broker/v1"},message:"must be equal to constant"}];
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
validate10.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate10.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.unit !== undefined){
let data4 = data.unit;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(!pattern2.test(data4)){
validate10.errors = [{instancePath:instancePath+"/unit",schemaPath:"#/properties/unit/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9:._-]{1,247}\\.service$"},message:"must match pattern \""+"^[A-Za-z0-9:._-]{1,247}\\.service$"+"\""}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/unit",schemaPath:"#/properties/unit/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
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
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}

export const is_activate = validate11;
const schema12 = {"type":"object","additionalProperties":false,"required":["op","abi","generation"],"properties":{"op":{"const":"activate"},"abi":{"const":"cortexfs.terminal-broker/v1"},"generation":{"title":"generation","type":"string","pattern":"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"}}};
const pattern3 = new RegExp("^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.generation === undefined) && (missing0 = "generation"))){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "op") || (key0 === "abi")) || (key0 === "generation"))){
validate11.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("activate" !== data.op){
validate11.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "activate"},message:"must be equal to constant"}];
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
if("cortexfs.terminal-broker/v1" !== data.abi){
validate11.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.terminal-broker/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.generation !== undefined){
let data2 = data.generation;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern3.test(data2)){
validate11.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/pattern",keyword:"pattern",params:{pattern: "^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

export const is_connect = validate12;
const schema13 = {"type":"object","additionalProperties":false,"required":["op","abi","nonce","agent","session","mode"],"properties":{"op":{"const":"connect"},"abi":{"const":"cortexfs.terminal-broker/v1"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"session":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"mode":{"enum":["watch","attach"]}}};
const pattern4 = new RegExp("^[A-Za-z0-9_-]{24}$", "u");

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.session === undefined) && (missing0 = "session"))) || ((data.mode === undefined) && (missing0 = "mode"))){
validate12.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "op") || (key0 === "abi")) || (key0 === "nonce")) || (key0 === "agent")) || (key0 === "session")) || (key0 === "mode"))){
validate12.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("connect" !== data.op){
validate12.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "connect"},message:"must be equal to constant"}];
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
if("cortexfs.terminal-broker/v1" !== data.abi){
validate12.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.terminal-broker/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data2 = data.nonce;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
validate12.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data3 = data.agent;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern0.test(data3)){
validate12.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.session !== undefined){
let data4 = data.session;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(!pattern0.test(data4)){
validate12.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate12.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mode !== undefined){
let data5 = data.mode;
const _errs10 = errors;
if(!((data5 === "watch") || (data5 === "attach"))){
validate12.errors = [{instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema13.properties.mode.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs10 === errors;
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
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}

export const is_await = validate13;
const schema14 = {"type":"object","additionalProperties":false,"required":["op","abi","nonce","agent","session","unit"],"properties":{"op":{"const":"await"},"abi":{"const":"cortexfs.terminal-broker/v1"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"},"agent":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"session":{"title":"object name","type":"string","pattern":"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},"unit":{"title":"unit name","type":"string","pattern":"^[A-Za-z0-9:._-]{1,247}\\.service$"}}};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.op === undefined) && (missing0 = "op")) || ((data.abi === undefined) && (missing0 = "abi"))) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.session === undefined) && (missing0 = "session"))) || ((data.unit === undefined) && (missing0 = "unit"))){
validate13.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "op") || (key0 === "abi")) || (key0 === "nonce")) || (key0 === "agent")) || (key0 === "session")) || (key0 === "unit"))){
validate13.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.op !== undefined){
const _errs2 = errors;
if("await" !== data.op){
validate13.errors = [{instancePath:instancePath+"/op",schemaPath:"#/properties/op/const",keyword:"const",params:{allowedValue: "await"},message:"must be equal to constant"}];
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
if("cortexfs.terminal-broker/v1" !== data.abi){
validate13.errors = [{instancePath:instancePath+"/abi",schemaPath:"#/properties/abi/const",keyword:"const",params:{allowedValue: "cortexfs.terminal-broker/v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data2 = data.nonce;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
validate13.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data3 = data.agent;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern0.test(data3)){
validate13.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.session !== undefined){
let data4 = data.session;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(!pattern0.test(data4)){
validate13.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/pattern",keyword:"pattern",params:{pattern: "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/session",schemaPath:"#/properties/session/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.unit !== undefined){
let data5 = data.unit;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(!pattern2.test(data5)){
validate13.errors = [{instancePath:instancePath+"/unit",schemaPath:"#/properties/unit/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9:._-]{1,247}\\.service$"},message:"must match pattern \""+"^[A-Za-z0-9:._-]{1,247}\\.service$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/unit",schemaPath:"#/properties/unit/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
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
else {
validate13.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate13.errors = vErrors;
return errors === 0;
}

export const is_prepared = validate14;
const schema15 = {"type":"object","additionalProperties":false,"required":["type","nonce"],"properties":{"type":{"const":"prepared"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"}}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))){
validate14.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "type") || (key0 === "nonce"))){
validate14.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("prepared" !== data.type){
validate14.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "prepared"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate14.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}

export const is_registered = validate15;
const schema16 = {"type":"object","additionalProperties":false,"required":["type","generation"],"properties":{"type":{"const":"registered"},"generation":{"title":"generation","type":"string","pattern":"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"}}};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.generation === undefined) && (missing0 = "generation"))){
validate15.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "type") || (key0 === "generation"))){
validate15.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("registered" !== data.type){
validate15.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "registered"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.generation !== undefined){
let data1 = data.generation;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern3.test(data1)){
validate15.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/pattern",keyword:"pattern",params:{pattern: "^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate15.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate15.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate15.errors = vErrors;
return errors === 0;
}

export const is_activated = validate16;
const schema17 = {"type":"object","additionalProperties":false,"required":["type","generation"],"properties":{"type":{"const":"activated"},"generation":{"title":"generation","type":"string","pattern":"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"}}};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.generation === undefined) && (missing0 = "generation"))){
validate16.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "type") || (key0 === "generation"))){
validate16.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("activated" !== data.type){
validate16.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "activated"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.generation !== undefined){
let data1 = data.generation;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern3.test(data1)){
validate16.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/pattern",keyword:"pattern",params:{pattern: "^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate16.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate16.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate16.errors = vErrors;
return errors === 0;
}

export const is_offer = validate17;
const schema18 = {"type":"object","additionalProperties":false,"required":["type","nonce","mode"],"properties":{"type":{"const":"offer"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"},"mode":{"enum":["watch","attach"]}}};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.mode === undefined) && (missing0 = "mode"))){
validate17.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "nonce")) || (key0 === "mode"))){
validate17.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("offer" !== data.type){
validate17.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "offer"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate17.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate17.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mode !== undefined){
let data2 = data.mode;
const _errs5 = errors;
if(!((data2 === "watch") || (data2 === "attach"))){
validate17.errors = [{instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema18.properties.mode.enum},message:"must be equal to one of the allowed values"}];
return false;
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
validate17.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate17.errors = vErrors;
return errors === 0;
}

export const is_commit = validate18;
const schema19 = {"type":"object","additionalProperties":false,"required":["type","nonce"],"properties":{"type":{"const":"commit"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"}}};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))){
validate18.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "type") || (key0 === "nonce"))){
validate18.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("commit" !== data.type){
validate18.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "commit"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate18.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate18.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate18.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate18.errors = vErrors;
return errors === 0;
}

export const is_abort = validate19;
const schema20 = {"type":"object","additionalProperties":false,"required":["type","nonce"],"properties":{"type":{"const":"abort"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"}}};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))){
validate19.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "type") || (key0 === "nonce"))){
validate19.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("abort" !== data.type){
validate19.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "abort"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate19.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate19.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate19.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate19.errors = vErrors;
return errors === 0;
}

export const is_accepted = validate20;
const schema21 = {"type":"object","additionalProperties":false,"required":["type","nonce","generation"],"properties":{"type":{"const":"accepted"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"},"generation":{"title":"generation","type":"string","pattern":"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.generation === undefined) && (missing0 = "generation"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "nonce")) || (key0 === "generation"))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("accepted" !== data.type){
validate20.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "accepted"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate20.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.generation !== undefined){
let data2 = data.generation;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern3.test(data2)){
validate20.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/pattern",keyword:"pattern",params:{pattern: "^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}

export const is_ready = validate21;
const schema22 = {"type":"object","additionalProperties":false,"required":["type","nonce","generation"],"properties":{"type":{"const":"ready"},"nonce":{"title":"nonce","type":"string","pattern":"^[A-Za-z0-9_-]{24}$"},"generation":{"title":"generation","type":"string","pattern":"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.nonce === undefined) && (missing0 = "nonce"))) || ((data.generation === undefined) && (missing0 = "generation"))){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "nonce")) || (key0 === "generation"))){
validate21.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("ready" !== data.type){
validate21.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "ready"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nonce !== undefined){
let data1 = data.nonce;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate21.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{24}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{24}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/nonce",schemaPath:"#/properties/nonce/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.generation !== undefined){
let data2 = data.generation;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern3.test(data2)){
validate21.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/pattern",keyword:"pattern",params:{pattern: "^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"},message:"must match pattern \""+"^(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4]):(?:0|[1-9][0-9]{0,14})$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/generation",schemaPath:"#/properties/generation/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}

export const is_error = validate22;
const schema23 = {"type":"object","additionalProperties":false,"required":["type","code","message"],"properties":{"type":{"const":"error"},"code":{"enum":["busy","frame_limit","protocol","invalid_name","supervisor_identity","operator_identity","replay","not_ready","registration","client_limit"]},"message":{"type":"string","pattern":"^[\\s\\S]{1,512}$"}}};
const pattern21 = new RegExp("^[\\s\\S]{1,512}$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.type === undefined) && (missing0 = "type")) || ((data.code === undefined) && (missing0 = "code"))) || ((data.message === undefined) && (missing0 = "message"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "type") || (key0 === "code")) || (key0 === "message"))){
validate22.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.type !== undefined){
const _errs2 = errors;
if("error" !== data.type){
validate22.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "error"},message:"must be equal to constant"}];
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
if(!((((((((((data1 === "busy") || (data1 === "frame_limit")) || (data1 === "protocol")) || (data1 === "invalid_name")) || (data1 === "supervisor_identity")) || (data1 === "operator_identity")) || (data1 === "replay")) || (data1 === "not_ready")) || (data1 === "registration")) || (data1 === "client_limit"))){
validate22.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schema23.properties.code.enum},message:"must be equal to one of the allowed values"}];
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
if(!pattern21.test(data2)){
validate22.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/pattern",keyword:"pattern",params:{pattern: "^[\\s\\S]{1,512}$"},message:"must match pattern \""+"^[\\s\\S]{1,512}$"+"\""}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}

import type { Validate } from "../definition.ts";
export const validators: Readonly<Record<string, Validate>> = {
  "register": is_register,
  "activate": is_activate,
  "connect": is_connect,
  "await": is_await,
  "prepared": is_prepared,
  "registered": is_registered,
  "activated": is_activated,
  "offer": is_offer,
  "commit": is_commit,
  "abort": is_abort,
  "accepted": is_accepted,
  "ready": is_ready,
  "error": is_error,
};

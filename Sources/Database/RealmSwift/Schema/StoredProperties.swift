// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import CSwiftRuntime

/// The stored properties of a class, from the compiler's metadata.
///
/// The standard library's `_forEachField` is equivalent, but it's SPI, which the SDKs of Apple's platforms don't
/// declare. The runtime exports these functions on every platform.
enum StoredProperties {
    /// Calls `body` with the name, offset, and type of each stored property, beginning with those of superclasses.
    static func forEach(
        of type: AnyClass, _ body: (_ name: UnsafePointer<CChar>, _ offset: Int, _ type: Any.Type) -> Void
    ) {
        for index in 0..<countFields(type) {
            var field = unsafe RegnumField()
            let fieldType = unsafe fieldMetadata(type, index: index, &field)
            defer { unsafe field.free?(field.name) }
            guard let name = unsafe field.name else { continue }
            unsafe body(name, fieldOffset(type, index: index), fieldType)
        }
    }
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func countFields(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldMetadata(_ type: Any.Type, index: Int, _ field: UnsafeMutablePointer<RegnumField>) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int

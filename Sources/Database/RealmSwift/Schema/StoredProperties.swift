// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import CSwiftRuntime

/// Enumerates the stored properties of a class in the compiler's metadata.
///
/// The standard library's `_forEachField` is equivalent, but it is SPI that the SDKs of Apple's platforms don't
/// declare. The runtime exports these functions on every platform.
enum StoredProperties {
    /// Calls `body` for each stored property, those of superclasses first.
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

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Regnum uses of Apple's Objective-C runtime, as Swift sees it.

@_exported import Darwin

public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    public subscript(index: Int) -> Pointee { fatalError("Only the compiler reads this.") }
}

extension UnsafeMutableRawPointer {
    public init<T>(_ other: AutoreleasingUnsafeMutablePointer<T>) { fatalError("Only the compiler reads this.") }
}

public func objc_getClassList(_ buffer: AutoreleasingUnsafeMutablePointer<AnyClass>?, _ bufferCount: Int32) -> Int32 {
    0
}
public func objc_copyClassList(_ outCount: UnsafeMutablePointer<UInt32>?) -> AutoreleasingUnsafeMutablePointer<
    AnyClass
>? {
    nil
}
public func class_getSuperclass(_ cls: AnyClass?) -> AnyClass? { nil }
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An app, described by its scenes.
///
/// Its `@State` and `@StateObject` properties exist once per process and are shared by all windows.
@MainActor @preconcurrency public protocol App {
    /// The type of the app's scenes.
    associatedtype Body: Scene
    /// The scenes of the app.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Creates the app.
    @MainActor @preconcurrency init()
}

/// A part of an app that declares windows.
@MainActor @preconcurrency public protocol Scene {
    /// The type of the scenes that compose this one.
    associatedtype Body: Scene
    /// The scenes that compose this one.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Scene where Body == Never {
    /// Traps, because built-in scenes don't have a body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

@MainActor protocol KnownScene: Scene where Body == Never {
    @MainActor var windows: [SceneWindow] { get }
}

struct SceneWindow {
    let id: String?
    var view: any View
}

extension Scene {
    /// The windows of the scene. The first one is shown by default.
    var allWindows: [SceneWindow] { (self as? any KnownScene)?.windows ?? body.allWindows }
}

/// A scene whose windows show the same content, each with its own state.
nonisolated public struct WindowGroup<Content>: Scene, KnownScene where Content: View {
    private var id: String?
    private let content: () -> Content

    /// Creates a window group.
    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Creates a window group with an identifier. A browser shows it at the path `/scene/` followed by the identifier.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) {
        (self.id, self.content) = (id, content)
    }
    /// Creates a window group. `title` has no effect in the browser host.
    public init(_ title: Text, @ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Creates a window group. `titleKey` has no effect in the browser host.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.content = content
    }
    /// Creates a window group. `title` has no effect in the browser host.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: @escaping () -> Content)
    where S: StringProtocol {
        self.content = content
    }

    @MainActor var windows: [SceneWindow] { [SceneWindow(id: id, view: content())] }
}

/// The scenes of a builder with multiple expressions.
nonisolated public struct _Scenes: Scene, KnownScene {
    let scenes: [any Scene]
    @MainActor var windows: [SceneWindow] { scenes.flatMap { $0.allWindows } }
}

/// A scene that modifies the views of another scene's windows.
nonisolated public struct _ModifiedScene<Content>: Scene, KnownScene where Content: Scene {
    let content: Content
    let modify: (any View) -> any View
    @MainActor var windows: [SceneWindow] {
        content.allWindows.map { SceneWindow(id: $0.id, view: modify($0.view)) }
    }
}

/// A result builder that combines scenes.
@resultBuilder public struct SceneBuilder {
    /// Returns the scene of an expression.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// Returns a single scene unchanged.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// Combines multiple scenes.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> _Scenes
    where repeat each Content: Scene {
        var all: [any Scene] = []
        for scene in repeat each content { all.append(scene) }
        return _Scenes(scenes: all)
    }
}

extension Scene {
    nonisolated private func views(_ modify: @escaping (any View) -> any View) -> some Scene {
        _ModifiedScene(content: self, modify: modify)
    }

    /// Sets an environment value of all windows.
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        views { AnyView($0).environment(keyPath, value) }
    }

    /// Runs an action with the new value when a value changes, in each window.
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some Scene
    where V: Equatable {
        views { AnyView($0).onChange(of: value, perform: action) }
    }

    /// Runs an action with the old and the new value when a value changes, in each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Runs an action when a value changes, in each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Adds menu commands. Has no effect in the browser host.
    nonisolated public func commands(content: () -> Void) -> some Scene { self }
}

#if canImport(OpenCombine)
    import RegnumCombine

    extension Scene {
        /// Adds an object to the environment of all windows.
        nonisolated public func environmentObject<T>(_ object: T) -> some Scene where T: ObservableObject {
            views { AnyView($0).environmentObject(object) }
        }
    }
#endif

package struct AppView<A: App>: View {
    var app: A
    let shared: SharedSlots?
    private let id: String?

    /// All windows with the same `shared` slots share the values of the app's dynamic properties.
    package init(_ app: A, id: String? = nil, shared: SharedSlots? = nil) {
        (self.app, self.id, self.shared) = (app, id, shared)
    }

    package var body: some View {
        if let window = app.body.allWindows.first(where: { id == nil || $0.id == id }) { AnyView(window.view) }
    }
}

extension AppView: HoldsProperties, SharesSlots {}

extension App {
    package func hasWindow(_ id: String) -> Bool { body.allWindows.contains { $0.id == id } }
}
